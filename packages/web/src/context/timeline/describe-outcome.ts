import type { Request } from '@longhaul/protocol'
import { formatNumber, formatUsd } from '../../ui/text/format.ts'

type Outcome = Request['outcome']

export interface OutcomeDescription {
  readonly words: string
  readonly isFailure: boolean
  /** What was billed, as pairs of a name and an amount; empty: nothing was. */
  readonly bill: readonly { readonly name: string; readonly amount: string }[]
}

export function describeOutcome(outcome: Outcome): OutcomeDescription {
  if (outcome === null) return { words: 'under way, or interrupted', isFailure: false, bill: [] }
  const result = String(outcome['result'] ?? 'unknown')
  const words = ANSWERED[result]
  return {
    words: words ?? FAILED[result] ?? result.replaceAll('-', ' '),
    isFailure: words === undefined,
    bill: describeBill(outcome['usage']),
  }
}

/** The provider would not take it for its size. */
export function isOverflow(outcome: Outcome): boolean {
  return OVERFLOWS.has(String(outcome?.['result']))
}

const OVERFLOWS: ReadonlySet<string> = new Set(['input-overflow', 'output-overflow', 'request-too-large'])

const ANSWERED: Readonly<Record<string, string>> = {
  stop: 'answered',
  'tool-calls': 'asked for tools',
  length: 'answered, cut off at its limit',
}

const FAILED: Readonly<Record<string, string>> = {
  'input-overflow': 'refused: too long',
  'output-overflow': 'refused: no room for the answer',
  'request-too-large': 'refused: too many bytes',
  'thinking-binding': 'refused: thinking of another request',
  'rate-limited': 'refused: too many requests',
  auth: 'refused: wrong key',
  'unknown-model': 'refused: no such model',
  unavailable: 'provider unavailable',
  timeout: 'timed out',
  interrupted: 'broke off',
  empty: 'no answer',
  refused: 'stopped by the provider',
  aborted: 'cancelled',
  error: 'failed',
}

const BILL_NAMES = [
  ['input', 'Input tokens'],
  ['output', 'Output tokens'],
  ['cacheRead', 'Read from the cache'],
  ['cacheWrite', 'Written to the cache'],
  ['reasoning', 'Thinking tokens'],
] as const

function describeBill(usage: unknown): OutcomeDescription['bill'] {
  if (typeof usage !== 'object' || usage === null) return []
  const amounts = usage as Readonly<Record<string, unknown>>
  const tokens = BILL_NAMES.flatMap(([key, name]) => {
    const amount = amounts[key]
    return typeof amount === 'number' ? [{ name, amount: formatNumber(amount) }] : []
  })
  const cost = amounts['costUsd']
  return typeof cost === 'number' ? [...tokens, { name: 'Cost', amount: formatUsd(cost) }] : tokens
}
