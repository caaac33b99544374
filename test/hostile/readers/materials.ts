import { PRESETS } from '../../../packages/engine/src/policy/presets.ts'
import type { Limits } from '../../../packages/engine/src/policy/limits.ts'
import { resolveLimits } from '../../../packages/engine/src/policy/limits.ts'
import type { AddMention } from '../../../packages/engine/src/summary/facts/fact-collector.ts'
import { createFactCollector } from '../../../packages/engine/src/summary/facts/fact-collector.ts'
import { readToolUses } from '../../../packages/engine/src/summary/facts/tool-use.ts'
import type { ToolUse } from '../../../packages/engine/src/summary/facts/tool-use.ts'
import { createState, foldEntry } from '../../../packages/engine/src/request/fold/fold.ts'
import type { State } from '../../../packages/engine/src/request/fold/state.ts'
import type { SessionContext } from '../../../packages/engine/src/request/plan/session-context.ts'
import { UNCALIBRATED } from '../../../packages/engine/src/tokens/meter.ts'
import type { MessageEntry } from '../../../packages/engine/src/transcript/entry.ts'
import { createItem } from '../../../packages/engine/src/transcript/item.ts'
import type { Item } from '../../../packages/engine/src/transcript/item.ts'
import type { Message, ToolCallPart, ToolResultPart } from '../../../packages/engine/src/transcript/message.ts'
import type { FactKind, LedgerFact, SummaryDocument } from '../../../packages/engine/src/transcript/summary-document.ts'
import { FACT_KINDS } from '../../../packages/engine/src/transcript/summary-document.ts'

/** A reader of untrusted text, called with one string. */
export type Reader = (text: string) => unknown

/** Readers by the file that exports them, below `packages/`, and by the name of the export. */
export type ReaderTable = Readonly<Record<string, Readonly<Record<string, Reader>>>>

export const POLICY = PRESETS.longhaul
export const LIMITS = knownLimits()

function knownLimits(): Limits {
  const limits = resolveLimits(POLICY, { windowTokens: 200_000, maxOutputTokens: 8_000 })
  if (limits === null) throw new Error('the window is known')
  return limits
}

export function said(text: string, role: 'user' | 'assistant' = 'assistant'): Message {
  return { role, parts: [{ type: 'text', text }] }
}

export function calling(text: string, toolName = 'run_command', key = 'command'): ToolCallPart {
  return { type: 'tool-call', toolCallId: 'c1', toolName, input: { [key]: text } }
}

export function answered(text: string): ToolResultPart {
  return { type: 'tool-result', toolCallId: 'c1', toolName: 'run_command', output: text }
}

export function entry(message: Message, seq = 1): MessageEntry {
  return { type: 'message', seq, id: `m${seq}`, at: seq * 1_000, ...message }
}

/** A conversation in which everybody says of the text what fits: a person half, a tool half, a model a little of both. */
export function messages(text: string): readonly Message[] {
  const [half, some] = [text.slice(0, text.length / 2), text.slice(0, 2_000)]
  return [
    said(half, 'user'),
    { role: 'assistant', parts: [{ type: 'text', text: some }, { type: 'reasoning', text: some }, calling(some)] },
    { role: 'tool', parts: [answered(text.slice(half.length))] },
    said(some),
    said('Go on.', 'user'),
  ]
}

export function entries(text: string): readonly MessageEntry[] {
  return messages(text).map((message, index) => entry(message, index + 1))
}

export function items(text: string): readonly Item[] {
  return entries(text).map(createItem)
}

export function toolUse(text: string): ToolUse {
  const [use] = readToolUses([
    entry({ role: 'assistant', parts: [calling(text)] }),
    entry({ role: 'tool', parts: [{ ...answered(text), isError: true }] }, 2),
  ])
  if (use === undefined) throw new Error('the call was not read')
  return use
}

export function fact(text: string, kind: FactKind = 'command', by: LedgerFact['by'] = 'tool'): LedgerFact {
  return { kind, text, note: text, by, sources: ['m1'], count: 2, lastSeq: 1 }
}

/** One of each kind; one is long, the others are as long as facts come to be. */
export function facts(text: string): readonly LedgerFact[] {
  const short = text.slice(0, Math.min(4_000, text.length / 16))
  return [
    fact(text),
    ...FACT_KINDS.map((kind) =>
      fact(kind.endsWith('ask') ? short : short.slice(0, 400), kind, kind.endsWith('ask') ? 'user' : 'tool'),
    ),
  ]
}

export function document(text: string): SummaryDocument {
  const item = { id: 'i1', text, sources: ['m1'], status: 'open' } as const
  return {
    version: 1,
    sections: [
      {
        title: text.slice(0, 1_000),
        items: [
          { ...item, text: text.slice(0, 2_000) },
          { ...item, id: 'i2', status: 'done' },
        ],
      },
      { title: '', items: [{ ...item, id: 'i3', text: text.slice(0, 2_000) }] },
    ],
    ledger: facts(text.slice(0, 20_000)),
    budgets: { documentTokens: 50_000, ledgerTokens: 20_000, estimator: 'classes' },
  }
}

export function state(text: string): State {
  return entries(text).reduce<State>(foldEntry, createState())
}

export function sessionContext(text: string): SessionContext {
  return {
    state: state(text),
    policy: POLICY,
    limits: LIMITS,
    environment: { system: text, files: [], tools: [] },
    model: null,
    calibration: UNCALIBRATED,
  }
}

/** Hands the reader a collector, as the ledger does. */
export function collecting(read: (add: AddMention) => void): unknown {
  const collector = createFactCollector()
  read(collector.add)
  return collector.list()
}
