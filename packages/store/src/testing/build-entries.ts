import { createProseDocument } from '@longhaul/engine/advanced'
import type { Entry, EntryRef, JsonObject, Usage } from '@longhaul/engine/advanced'

/** An entry without its place in the transcript; an `id` or `at` of its own is kept. */
export type Line = Unwritten<Entry>
type Unwritten<T> = T extends Entry
  ? Omit<T, 'seq' | 'id' | 'at'> & { readonly id?: string; readonly at?: number }
  : never

/** 14 November 2023; entries follow second by second. */
export const START_AT = 1_700_000_000_000

/** Numbered on from `lastSeq`: seq 1, id `e1`, one second after the start. */
export function numberLines(lines: readonly Line[], lastSeq = 0): readonly Entry[] {
  return lines.map((line, index) => {
    const seq = lastSeq + index + 1
    return { seq, id: `e${seq}`, at: START_AT + seq * 1_000, ...line }
  })
}

export function user(text: string, id?: string): Line {
  return { type: 'message', role: 'user', parts: [{ type: 'text', text }], ...(id === undefined ? {} : { id }) }
}

export function assistant(text: string, usage?: Usage): Line {
  return {
    type: 'message',
    role: 'assistant',
    parts: [{ type: 'text', text }],
    model: 'test-model',
    ...(usage === undefined ? {} : { usage }),
    finish: 'stop',
  }
}

export function thought(text: string): Line {
  return { type: 'message', role: 'assistant', parts: [{ type: 'reasoning', text }] }
}

export function toolCall(toolName: string, input: JsonObject): Line {
  const part = { type: 'tool-call', toolCallId: 'call-1', toolName, input } as const
  return { type: 'message', role: 'assistant', parts: [part], finish: 'tool-calls' }
}

export function toolResult(output: string): Line {
  const part = { type: 'tool-result', toolCallId: 'call-1', toolName: 'read_file', output } as const
  return { type: 'message', role: 'tool', parts: [part] }
}

export function settings(fields: {
  readonly title?: string
  readonly preset?: string
  readonly policy?: JsonObject
}): Line {
  return { type: 'settings', ...fields }
}

/** References are by seq: the entries they name are called `e<seq>`. */
export function compaction(fromSeq: number, text = 'They talked.', previous: number | null = null): Line {
  return {
    type: 'compaction',
    fromSeq,
    firstKept: { ...refTo(fromSeq), at: START_AT + fromSeq * 1_000 },
    carried: [],
    previous: previous === null ? null : refTo(previous),
    tokensBefore: 1_000,
    tokensAfter: 100,
    document: createProseDocument(text, ['e1']),
    reason: 'threshold',
    strategy: 'summarize',
    model: 'test-model',
    usage: { input: 900, output: 80, costUsd: 0.002 },
  }
}

function refTo(seq: number): EntryRef {
  return { id: `e${seq}`, seq }
}
