import type { Message } from '@longhaul/engine/advanced'
import { entryIdOf } from '../summaries/summaries.ts'
import type { Carrier, CarrierOptions, ReplayEvent, ReplayPolicy, RequestItem } from './carrier.ts'

/** What the program that wrote the transcript did itself, as far as the transcript tells: its own summaries, at their time. */
export const asRecorded: ReplayPolicy = {
  name: 'as recorded',
  kind: 'recorded',
  about: 'the transcript’s own compactions with its own summaries',
  source: 'the transcript',
  canRecall: false,
  start: createRecordedCarrier,
}

function createRecordedCarrier({ conversation, sizes }: CarrierOptions): Carrier {
  let items: RequestItem[] = []
  let appended = 0
  /** `afterMessages` of the newest summary that stands. */
  let usedUpTo = -1
  let summaries = 0

  const tokens = (): number => items.reduce((sum, item) => sum + item.tokens, sizes.headTokens)
  /** The next bill tells what stands in the place of the summary: programs put files and notes beside it that no transcript holds. */
  const findSummaryTokens = (counted: number, kept: readonly RequestItem[]): number => {
    const answer = conversation.messages.find(({ index, bill }) => index >= appended && bill !== null)
    if (!sizes.isBilled || answer === undefined || answer.bill === null) return counted
    let rest = kept.reduce((sum, item) => sum + item.tokens, sizes.headTokens)
    for (let index = appended; index < answer.index; index += 1) rest += sizes.tokensOfStored(index)
    return Math.max(counted, answer.bill.input - rest)
  }
  const compact = (): readonly ReplayEvent[] => {
    const summary = conversation.recorded.find(({ afterMessages }) => afterMessages > usedUpTo)
    if (summary === undefined || summary.afterMessages > appended) return []
    usedUpTo = summary.afterMessages
    summaries += 1
    const tokensBefore = tokens()
    const message: Message = { role: 'user', parts: [{ type: 'text', text: summary.text }] }
    const first: RequestItem = {
      key: `summary:${summaries}`,
      kind: 'summary',
      state: 'summarised',
      message,
      tokens: sizes.tokensOf(message),
      index: null,
    }
    const kept = items.filter(({ index }) => index !== null && index >= summary.firstKept)
    items = [{ ...first, tokens: findSummaryTokens(first.tokens, kept) }, ...kept]
    const event = { reason: 'recorded', isForeground: false, tokensBefore, tokensAfter: tokens(), call: null } as const
    return [{ ...event, action: 'compact' }, ...compact()]
  }
  return {
    append(message) {
      appended += 1
      items.push({
        key: entryIdOf(message.index),
        kind: message.role,
        state: 'verbatim',
        message,
        tokens: sizes.tokensOfStored(message.index),
        index: message.index,
      })
    },
    maintain: () => Promise.resolve(compact()),
    request: () => items.slice(),
  }
}
