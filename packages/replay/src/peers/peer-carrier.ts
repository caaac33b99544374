import { PRESETS, renderMessages, renderSummary, resolveLimits } from '@longhaul/engine/advanced'
import type {
  CompactionPlan,
  ContextPolicy,
  Item,
  Limits,
  Message,
  Part,
  SummaryDocument,
} from '@longhaul/engine/advanced'
import type { Carrier, CarrierOptions, MaintenanceCall, Moment, ReplayEvent, RequestItem } from '../carriers/carrier.ts'
import { createItem, createTextItem, sumTokens } from '../carriers/request-items.ts'
import { entryIdOf } from '../summaries/summaries.ts'
import { findTail, isSaid, roughTokens } from './keep-rules.ts'
import type { Clearing, Peer, Situation } from './peer.ts'

const ASSUMED_OUTPUT_TOKENS = 8_192
const PROMPT_TOKENS = 600
const TOO_LONG = 'refused as too long'

/** A peer's rules at work. What the summary says comes from the same writer as everybody's. */
export function createPeerCarrier(peer: Peer, options: CarrierOptions): Carrier {
  const { sizes, windowTokens } = options
  const maxOutputTokens = options.maxOutputTokens ?? ASSUMED_OUTPUT_TOKENS
  const summarize = createSummariser(peer, options)
  const clear = createClearer(options)
  let items: RequestItem[] = []
  let document: SummaryDocument | null = null
  let summaries = 0
  let lastRequestAt: number | null = null
  let hasGivenUp = false

  const situationAt = ({ checkPoint, at }: Moment): Situation => ({
    items,
    tokens: sumTokens(items, sizes.headTokens),
    windowTokens,
    maxOutputTokens,
    checkPoint,
    at,
    lastRequestAt,
  })
  /** As it would be sent: edits that hold for one request are worked out anew for each. */
  const project = (situation: Situation): { readonly sent: Situation; readonly reason: string | null } => {
    const once = peer.clearOnce?.(situation) ?? null
    if (once === null) return { sent: situation, reason: null }
    const left = clear(situation.items, once)
    return { sent: { ...situation, items: left, tokens: sumTokens(left, sizes.headTokens) }, reason: once.reason }
  }

  const compact = async (situation: Situation, sent: Situation, reason: string): Promise<ReplayEvent | null> => {
    const kept = (reason === TOO_LONG ? peer.keepAfterRefusal?.(situation) : undefined) ?? peer.keep(situation)
    const { before = [], after = [], restored = [] } = kept
    const stays = new Set([...before, ...after])
    const span = items.filter((item) => isSaid(item) && !stays.has(item))
    if (span.length === 0) return null
    const { document: written, call } = await summarize(span, document, { kept: [...stays], prefix: sent.items })
    summaries += 1
    const next = [
      ...before,
      createTextItem('summary', `summary:${summaries}`, renderSummary(written), sizes),
      ...restored.map((file, place) => createTextItem('user', `restored:${summaries}:${place}`, file, sizes)),
      ...after,
    ]
    const tokensBefore = sent.tokens
    const tokensAfter = sumTokens(next, sizes.headTokens)
    const isForeground = situation.checkPoint !== 'after-response' && !peer.summary.isBackground
    const event = { reason, isForeground, tokensBefore, tokensAfter, call }
    if (peer.discardsLarger === true && tokensAfter >= tokensBefore) {
      hasGivenUp = true
      return { ...event, action: 'failed', tokensAfter: tokensBefore }
    }
    items = next
    document = written
    return { ...event, action: 'compact' }
  }

  return {
    append(message, usage) {
      if (usage !== null) lastRequestAt = message.at
      items.push(createItem(message, sizes, peer.storage))
    },
    async maintain(moment) {
      const events: ReplayEvent[] = []
      const before = situationAt(moment)
      const clearing = peer.clear?.(before) ?? null
      if (clearing !== null) {
        items = [...clear(items, clearing)]
        events.push(pruneEvent(clearing.reason, before, situationAt(moment)))
      }
      const situation = situationAt(moment)
      const { sent, reason: edited } = project(situation)
      const isRequest = moment.checkPoint !== 'after-response'
      const isTooLong = isRequest && sent.tokens > windowTokens && peer.recoversFromOverflow === true
      const reason = hasGivenUp ? null : (peer.isDue(sent) ?? (isTooLong ? TOO_LONG : null))
      const event = reason === null ? null : await compact(situation, sent, reason)
      if (event !== null) events.push(event)
      else if (edited !== null && isRequest) events.push(pruneEvent(edited, situation, sent))
      return events
    },
    request: () => project(situationAt({ checkPoint: 'before-step', at: lastRequestAt ?? 0 })).sent.items.slice(),
  }
}

function pruneEvent(reason: string, before: Situation, after: Situation): ReplayEvent {
  const { tokens: tokensBefore } = before
  return { action: 'prune', reason, isForeground: false, tokensBefore, tokensAfter: after.tokens, call: null }
}

function createClearer(
  options: CarrierOptions,
): (items: readonly RequestItem[], clearing: Clearing) => readonly RequestItem[] {
  const cleared = new WeakMap<RequestItem, RequestItem>()
  return (items, { items: chosen, placeholder }) =>
    items.map((item) => {
      if (!chosen.has(item)) return item
      const known = cleared.get(item) ?? clearItem(item, placeholder, options)
      cleared.set(item, known)
      return known
    })
}

/** Never longer than it was. */
function clearItem(item: RequestItem, placeholder: string, { sizes }: CarrierOptions): RequestItem {
  const parts = item.message.parts.map((part): Part =>
    part.type === 'tool-result' ? { ...part, output: placeholder } : part,
  )
  const message: Message = { role: item.message.role, parts }
  return {
    ...item,
    key: `${item.key}|cleared`,
    state: 'cleared',
    message,
    tokens: Math.min(item.tokens, sizes.tokensOf(message)),
  }
}

type Summarise = (
  span: readonly RequestItem[],
  previous: SummaryDocument | null,
  around: { readonly kept: readonly RequestItem[]; readonly prefix: readonly RequestItem[] },
) => Promise<{ readonly document: SummaryDocument; readonly call: MaintenanceCall | null }>

function createSummariser(
  { summary }: Peer,
  { sizes, summaries, windowTokens, conversation }: CarrierOptions,
): Summarise {
  const policy: ContextPolicy = {
    ...PRESETS.longhaul,
    compaction: { ...PRESETS.longhaul.compaction, maxOutputTokens: summary.maxOutputTokens },
  }
  const limits = resolveLimits(policy, { windowTokens }) as Limits
  const strategy = summaries.strategies.get(summaries.strategyFor('summarize'))
  const toItem = ({ index, message }: RequestItem): Item => {
    const said = conversation.messageAt(index ?? 0)
    const { role, parts } = message
    const place = index ?? 0
    const entry = { type: 'message', seq: place + 1, id: entryIdOf(place), at: said?.at ?? 0, role, parts } as const
    return { entry, message: entry, forms: null }
  }
  return async (span, previous, { kept, prefix }) => {
    const start = summary.maxReadTokens === null ? 0 : findTail(span, summary.maxReadTokens, roughTokens)
    const read = span.slice(start)
    const earlier = start > 0 ? null : previous
    const plan: CompactionPlan = {
      action: 'compact',
      reason: 'threshold',
      strategy: strategy?.name ?? '',
      move: { fromSeq: 0, firstKept: null, carried: [], previous: null },
      span: read.map(toItem),
      kept: kept.filter(isSaid).map(toItem),
      previousDocument: earlier,
      tokensBefore: 0,
      spanTokens: read.reduce((sum, { tokens }) => sum + tokens, 0),
      epoch: 0,
    }
    const result = await strategy?.summarize(plan, { policy, limits, ask: summaries.ask, signal: { aborted: false } })
    const document: SummaryDocument = result?.ok === true ? result.document : { version: 1, sections: [] }
    const asked = summaries.takeAsked()
    const messages = read.map(({ message }) => message)
    const text = renderMessages(
      messages,
      summary.resultMaxChars === null ? {} : { resultMaxChars: summary.resultMaxChars },
    )
    const spanTokens = sizes.tokensOfText(text) + (earlier === null ? 0 : sizes.tokensOfText(renderSummary(earlier)))
    const written =
      asked?.outputTokens ?? Math.min(sizes.tokensOfText(renderSummary(document)), summary.maxOutputTokens)
    return {
      document,
      call: {
        prefix: summary.readsPrefix ? prefix.slice() : null,
        inputTokens: (PROMPT_TOKENS + (summary.readsPrefix ? 0 : spanTokens)) * summary.calls,
        outputTokens: written * summary.calls,
        model: null,
      },
    }
  }
}
