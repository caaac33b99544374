import { sliceHead } from '@longhaul/engine/advanced'
import type { ModelFailure, ModelFailureKind } from '../port/model-failure.ts'
import { DECISIVE_CODES, FALLBACK_CODES, kindOfStatus } from './table/error-codes.ts'
import { plainQuotes } from './table/error-row.ts'
import type { ErrorRow } from './table/error-row.ts'
import { ACCOUNT_ROWS, NOT_WINDOW_ROWS } from './table/other-rows.ts'
import type { ProviderError } from './provider-error.ts'
import { readError } from './read-error.ts'
import type { ErrorFacts } from './read-error.ts'
import { readRetryAfter } from './retry-after.ts'
import { readCounts } from './read-counts.ts'
import type { Verdict } from './read-counts.ts'
import { createUserPatterns } from './user-patterns.ts'
import type { MatchUserPattern, UserPattern } from './user-patterns.ts'
import { WINDOW_ROWS } from './table/window-rows.ts'

export interface ErrorClassifierOptions {
  readonly overflowPatterns?: readonly UserPattern[] | undefined
  readonly now?: (() => number) | undefined
}

/** Says what a provider's error means for the conversation. Never throws. Who shows its message takes secrets out. */
export type ErrorClassifier = (error: ProviderError) => ModelFailure

const ROWS: readonly ErrorRow[] = [...NOT_WINDOW_ROWS, ...WINDOW_ROWS, ...ACCOUNT_ROWS]
const MAX_MESSAGE_CHARS = 5_000
/** From here on, an error without a word is taken for an overflow. */
const NEARLY_FULL = 0.8

export function createErrorClassifier(options: ErrorClassifierOptions = {}): ErrorClassifier {
  const { overflowPatterns = [], now = Date.now } = options
  const matchUser = createUserPatterns(overflowPatterns)
  return (error) => {
    const facts = readError(error)
    const { kind, tokens } = error.isFromProvider ? judge(error, facts, matchUser) : UNREACHABLE
    const headers = new Map(Object.entries(error.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
    return {
      kind,
      message: describe(facts),
      isRetryable: isRetryable({ kind, tokens }) && headers.get('x-should-retry') !== 'false',
      status: facts.status,
      retryAfterMs: readRetryAfter({ headers, delay: facts.retryDelay, text: facts.text, nowMs: now() }),
      tokens,
    }
  }
}

const UNREACHABLE: Verdict = { kind: 'unavailable', tokens: null }

/** The user's word, then a code that leaves no doubt, then the text, then whatever code and status there are. */
function judge(error: ProviderError, facts: ErrorFacts, matchUser: MatchUserPattern): Verdict {
  const user = matchUser(facts.text)
  if (user !== null) return readCounts(user.kind, user.groups)
  const decisive = findCode(DECISIVE_CODES, facts.codes) ?? (facts.status === 429 ? 'rate-limited' : null)
  const rows = decisive === null ? ROWS : ROWS.filter((row) => row.kind === decisive)
  const text = plainQuotes(facts.text)
  for (const row of rows) {
    const match = row.pattern.exec(text)
    if (match !== null) return withCounts(readCounts(row.kind, match.groups ?? {}), facts)
  }
  const kind =
    decisive ?? findCode(FALLBACK_CODES, facts.codes) ?? judgeSilence(error, facts) ?? kindOfStatus(facts.status)
  return withCounts({ kind, tokens: null }, facts)
}

/**
 * Cerebras refuses an overflow with 413, or with 400, and not a word. Without a word 413 is an overflow more likely than
 * not, and smaller helps in either case; 400 is one only where the request was about to fill the window.
 */
function judgeSilence(
  { expectedInputTokens, windowTokens }: ProviderError,
  facts: ErrorFacts,
): ModelFailureKind | null {
  if (facts.text !== '') return null
  if (facts.status === 413) return 'input-overflow'
  const isNearlyFull = (expectedInputTokens ?? 0) >= NEARLY_FULL * (windowTokens ?? Number.POSITIVE_INFINITY)
  return facts.status === 400 && isNearlyFull ? 'input-overflow' : null
}

function findCode(
  table: Readonly<Record<string, ModelFailureKind>>,
  codes: readonly string[],
): ModelFailureKind | null {
  const code = codes.find((name) => Object.hasOwn(table, name))
  return code === undefined ? null : (table[code] ?? null)
}

/** Fields fill in what the text left open. */
function withCounts({ kind, tokens }: Verdict, { counts }: ErrorFacts): Verdict {
  if (kind !== 'input-overflow') return { kind, tokens }
  const actual = tokens?.actual ?? counts.actual
  const limit = tokens?.limit ?? counts.limit
  return { kind, tokens: actual === null && limit === null ? null : { actual, limit } }
}

/** A request that alone is larger than the budget of a minute never gets through, however long one waits. */
function isRetryable({ kind, tokens }: Verdict): boolean {
  if (kind === 'rate-limited') return (tokens?.actual ?? 0) <= (tokens?.limit ?? Number.POSITIVE_INFINITY)
  return kind === 'unavailable'
}

function describe({ said, status }: ErrorFacts): string {
  const line = sliceHead(said.join(': '), MAX_MESSAGE_CHARS).replaceAll(/\s+/g, ' ')
  if (line !== '') return line
  return status === null ? 'The provider gave no reason.' : `The provider answered ${status} and gave no reason.`
}
