import { isRecord } from '@longhaul/engine/advanced'
import { findOverflow } from '@longhaul/models/overflow'
import { openHostSession } from '@longhaul/store/host'
import type { HostSessionOptions, HostSyncOptions } from '@longhaul/store/host'
import { createMessageCodec, isAdded } from './message-codec.ts'
import type { Item, ItemInfo } from './opencode-api.ts'
import { readUsage } from './read-usage.ts'
import { joinUnits, splitItems } from './split-items.ts'
import type { Unit } from './split-items.ts'

/** One conversation of opencode. */
export interface Talk {
  /** The messages to send in place of these. */
  readonly prepare: (items: readonly Item[], around: HostSyncOptions) => Promise<readonly Item[]>
  /** opencode is about to hand over the messages that its own compaction is to summarize. */
  readonly startCompaction: () => void
  /** Reads the bill of an answer, once. */
  readonly bill: (info: ItemInfo) => void
  /** opencode reports an error. A refusal as too long teaches the window and makes room. */
  readonly fail: (error: unknown) => Promise<void>
  readonly recall: (query: string) => Promise<string>
  readonly close: () => Promise<void>
}

export type TalkOptions = Omit<HostSessionOptions<Unit>, 'origin' | 'codec'>

export function createTalk(options: TalkOptions): Talk {
  const codec = createMessageCodec(options.sessionId)
  const session = openHostSession<Unit>({ ...options, origin: 'opencode', codec })
  let sent: readonly Item[] = []
  let billed = ''
  let compaction: 'starting' | 'running' | null = null

  return {
    async prepare(items, around) {
      if (compaction === 'starting') {
        compaction = 'running'
        return keepHead(items, sent)
      }
      compaction = null
      sent = joinUnits(await session.sync(splitItems(items), around))
      return sent
    },
    startCompaction: () => void (compaction = 'starting'),
    bill(info) {
      const usage = readUsage(info)
      const isAnswer = info.role === 'assistant' && info.finish !== undefined && info.summary !== true
      if (!isAnswer || usage === null || billed === info.id) return
      billed = info.id
      session.bill(usage)
    },
    async fail(error) {
      if (compaction !== null || !isRecord(error)) return
      const overflow = findOverflow(error['data']) ?? (error['name'] === 'ContextOverflowError' ? {} : null)
      if (overflow !== null) await session.refused(overflow)
    },
    recall: (query) => session.recall(query),
    close: () => session.close(),
  }
}

/** The messages that opencode wants to summarize as they were sent last: with Longhaul's summary, and short enough. */
function keepHead(head: readonly Item[], sent: readonly Item[]): readonly Item[] {
  const wanted = new Set(head.map(({ info }) => info.id))
  const kept = sent.filter((item) => isAdded(item) || wanted.has(item.info.id))
  const known = new Set(sent.map(({ info }) => info.id))
  const last = head.findLastIndex(({ info }) => known.has(info.id))
  // Nothing of it was sent any more: the summary stands for all of it.
  if (last < 0) return kept.length > 0 ? kept : head
  return [...kept, ...head.slice(last + 1)]
}
