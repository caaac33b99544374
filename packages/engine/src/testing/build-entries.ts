import { createProseDocument } from '../summary/render-document.ts'
import type {
  CompactionEntry,
  Entry,
  EntryRef,
  PruneDecision,
  PruneEntry,
  ResetEntry,
  TrimEntry,
} from '../transcript/entry.ts'
import type { Message } from '../transcript/message.ts'

/** An entry without its place in the transcript. */
type Unwritten<T> = T extends Entry ? Omit<T, 'seq' | 'id' | 'at'> : never

export type Line = Message | Unwritten<Entry>

/**
 * Makes a transcript from a few words:
 *
 *   transcript(user('hi'), assistant('hello'), compaction({ fromSeq: 2 }))
 *
 * Numbered from 1: seq 1, id `e1`, at 1,000. References are by seq.
 */
export function transcript(...list: readonly Line[]): readonly Entry[] {
  return list.map((one, index) => {
    const seq = index + 1
    const fields = 'type' in one ? one : { type: 'message', ...one }
    return { seq, id: `e${seq}`, at: seq * 1_000, ...fields } as Entry
  })
}

export function ref(seq: number): EntryRef {
  return { id: `e${seq}`, seq }
}

interface Move {
  readonly fromSeq: number
  readonly carried?: readonly number[]
  /** The base it stands on; left out: the start of the session. */
  readonly previous?: number
}

export function compaction(move: Move & { readonly text?: string }): Unwritten<CompactionEntry> {
  const { text = 'They talked.' } = move
  const document = createProseDocument(text, [])
  return { type: 'compaction', ...moved(move), document, reason: 'threshold', strategy: 'summarize', model: null }
}

export function trim(
  move: Move & { readonly summary?: number; readonly dropped?: number; readonly note?: string },
): Unwritten<TrimEntry> {
  const { summary, dropped = 1, note = null } = move
  return {
    type: 'trim',
    ...moved(move),
    reason: 'summary-failed',
    summary: summary === undefined ? null : ref(summary),
    dropped,
    note,
  }
}

export const reset: Unwritten<ResetEntry> = { type: 'reset' }

export function undone(seq: number): Unwritten<Entry> {
  return { type: 'compaction-undone', compaction: `e${seq}` }
}

export function prune(...decisions: readonly PruneDecision[]): Unwritten<PruneEntry> {
  return { type: 'prune', reason: 'test', decisions }
}

export function cleared(seq: number, part = 0, placeholder = '[gone]'): PruneDecision {
  return { entry: ref(seq), part, form: 'cleared', placeholder }
}

export function trimmed(seq: number, chars: number, part = 0): PruneDecision {
  return { entry: ref(seq), part, form: 'soft-trimmed', headChars: chars, tailChars: chars, note: '[cut]' }
}

function moved({ fromSeq, carried = [], previous }: Move) {
  return {
    fromSeq,
    firstKept: { ...ref(fromSeq), at: fromSeq * 1_000 },
    carried: carried.map(ref),
    previous: previous === undefined ? null : ref(previous),
    tokensBefore: 1_000,
    tokensAfter: 100,
  }
}
