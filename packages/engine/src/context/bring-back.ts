import { addRecalled } from '../request/seal/add-recalled.ts'
import type { RequestWithView } from '../request/seal/add-recalled.ts'
import { findRequestLimit } from '../request/seal/request-limit.ts'
import type { SessionContext } from '../request/plan/session-context.ts'
import type { View } from '../request/view/view.ts'
import { searchableText } from '../search/message-text.ts'
import { createRecallIndex } from '../search/recall-index.ts'
import type { Entry, MessageEntry } from '../transcript/entry.ts'

/** The log that is searched. */
export interface RecallLog {
  /** At most `limit` of the entries from this number on, oldest first; none: there are no more. */
  readonly readFrom: (seq: number, limit: number) => Promise<readonly Entry[]>
  /** The entries with the given numbers, as far as they exist. */
  readonly readAt: (seqs: readonly number[]) => Promise<readonly Entry[]>
}

/** Puts what a request is about, and no longer holds, at its end. */
export type BringBack = <T extends RequestWithView>(prepared: T, session: SessionContext) => Promise<T>

/** So many entries are read at a time. */
const PAGE = 200
/** So much text is taken up at a time. A long log is taken up beside the conversation, so that no request waits for it. */
const SLICE_CHARS = 30_000
/** A request waits for so many slices, some hundredths of a second; a longer log is searched by a later one. */
const MAX_AWAITED_SLICES = 7
/** Each entry counts as so many characters beside its text, because reading it takes time too. */
const ENTRY_CHARS = 20

/** For a log that only grows: each entry is taken up once. `pause` lets others run in between. */
export function createBringBack(log: RecallLog, pause: () => Promise<void>): BringBack {
  const index = createRecallIndex()
  let nextSeq = 1
  let isTaking = false

  /** False: nothing is left. */
  async function takeSlice(): Promise<boolean> {
    for (let taken = 0; taken < SLICE_CHARS;) {
      const entries = await log.readFrom(nextSeq, PAGE)
      if (entries.length === 0) return false
      for (const entry of entries) {
        if (taken >= SLICE_CHARS) break
        index.add(entry)
        nextSeq = entry.seq + 1
        taken += ENTRY_CHARS + (entry.type === 'message' ? searchableText(entry).length : 0)
      }
    }
    return true
  }
  async function takeRest(): Promise<void> {
    try {
      do await pause()
      while (await takeSlice())
    } catch {
      // The next request reads on from here, and says so if it cannot.
    } finally {
      isTaking = false
    }
  }
  /**
   * False: not all messages before this one are taken up yet, and a reset may stand among the rest. Those that the
   * request still shows are taken up while it is answered.
   */
  async function takeUp(beforeSeq: number): Promise<boolean> {
    if (isTaking) return nextSeq >= beforeSeq
    isTaking = true
    let isMore = true
    try {
      for (let slice = 0; isMore && nextSeq < beforeSeq && slice < MAX_AWAITED_SLICES; slice += 1)
        isMore = await takeSlice()
    } catch (error) {
      isTaking = false
      throw error
    }
    if (isMore) void takeRest()
    else isTaking = false
    return nextSeq >= beforeSeq
  }
  return async (prepared, session) => {
    const { state, policy, limits } = session
    const { base } = state.head
    const { maxRatio } = policy.recall
    if (maxRatio === null || limits === null || base.kind === 'start') return prepared
    if (!(await takeUp(base.fromSeq))) return prepared
    const found = await index.bringBack({
      turn: findTurn(prepared.view),
      beforeSeq: base.fromSeq,
      shown: prepared.view.items.map(({ message }) => message),
      readAt: async (seqs) => (await log.readAt(seqs)).filter((entry) => entry.type === 'message'),
      maxTokens: Math.floor(limits.windowTokens * maxRatio),
      estimator: policy.estimator,
    })
    if (found === null) return prepared
    const context = { ...session, estimator: policy.estimator }
    const maxTokens = findRequestLimit(policy, limits.inputTokens)
    const added = addRecalled(prepared, found.message, { context, maxTokens })
    return added === null ? prepared : { ...prepared, ...added }
  }
}

/** A log in memory whose entries stand at their numbers, the first of which is 1. */
export function readMemory(entries: readonly Entry[]): RecallLog {
  return {
    readFrom: async (seq, limit) => entries.slice(seq - 1, seq - 1 + limit),
    readAt: async (seqs) => seqs.flatMap((seq) => entries[seq - 1] ?? []),
  }
}

/** The newest message of the user and what followed it. */
function findTurn({ items }: View): readonly MessageEntry[] {
  const start = items.findLastIndex(({ kind, entry }) => kind === 'user' && entry !== null)
  return items.slice(Math.max(0, start)).flatMap(({ entry }) => entry ?? [])
}
