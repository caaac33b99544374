import type { Carrier, CarrierOptions, ReplayEvent, ReplayPolicy, RequestItem } from './carrier.ts'
import { createItem, createTextItem, sumTokens } from './request-items.ts'

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

  const tokens = (): number => sumTokens(items, sizes.headTokens)
  /** The next bill tells what stands in the place of the summary: programs put files and notes beside it that no transcript holds. */
  const findSummaryTokens = (counted: number, kept: readonly RequestItem[]): number => {
    const answer = conversation.messages.find(({ index, bill }) => index >= appended && bill !== null)
    if (!sizes.isBilled || answer === undefined || answer.bill === null) return counted
    let rest = sumTokens(kept, sizes.headTokens)
    for (let index = appended; index < answer.index; index += 1) rest += sizes.tokensOfStored(index)
    return Math.max(counted, answer.bill.input - rest)
  }
  const compact = (): readonly ReplayEvent[] => {
    const summary = conversation.recorded.find(({ afterMessages }) => afterMessages > usedUpTo)
    if (summary === undefined || summary.afterMessages > appended) return []
    usedUpTo = summary.afterMessages
    summaries += 1
    const tokensBefore = tokens()
    const first = createTextItem('summary', `summary:${summaries}`, summary.text, sizes)
    const kept = items.filter(({ index }) => index !== null && index >= summary.firstKept)
    items = [{ ...first, tokens: findSummaryTokens(first.tokens, kept) }, ...kept]
    const event = { reason: 'recorded', isForeground: false, tokensBefore, tokensAfter: tokens(), call: null } as const
    return [{ ...event, action: 'compact' }, ...compact()]
  }
  return {
    append(message) {
      appended += 1
      items.push(createItem(message, sizes))
    },
    maintain: () => Promise.resolve(compact()),
    request: () => items.slice(),
  }
}
