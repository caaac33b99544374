import type { Usage } from '@longhaul/engine/advanced'
import { priceUsage } from '@longhaul/models/prices'
import type { Registry } from '@longhaul/models/prices'
import { createPromptCache } from '../cache/prompt-cache.ts'
import type { CacheItem, PromptCache } from '../cache/prompt-cache.ts'
import type { CarrierOptions, MaintenanceCall, ReplayEvent, RequestItem } from '../carriers/carrier.ts'
import type { ReplayMessage } from '../conversation/conversation.ts'
import type { MessageSizes } from '../conversation/message-sizes.ts'
import type { EventResult, Layers, RequestResult } from './run-result.ts'

export interface TillOptions extends Pick<CarrierOptions, 'conversation' | 'sizes'> {
  readonly registry: Registry
  /** Whose prices and cache hold; null: nobody’s. */
  readonly model: string | null
}

/** What requests and the calls of maintenance cost, with the provider's cache. */
export interface Till {
  payRequest(
    items: readonly RequestItem[],
    answer: ReplayMessage,
    at: number,
  ): Omit<RequestResult, 'isOverWindow' | 'paidUsd' | 'events'>
  payEvent(event: ReplayEvent, at: number): EventResult
}

export function createTill({ conversation, sizes, registry, model }: TillOptions): Till {
  const info = model === null ? null : registry.describe(model)
  const cache: PromptCache = createPromptCache(info?.cache ?? null)
  const head: CacheItem = { key: 'head', tokens: sizes.headTokens, blocks: 1 }
  /** Where nobody wrote the time down, a second is as long as it takes. */
  const clock = conversation.hasTimes ? (at: number): number => at : () => 0
  const send = (items: readonly RequestItem[], at: number) => cache.send([head, ...items.map(toCacheItem)], clock(at))
  return {
    payRequest(items, answer, at) {
      const { readTokens, writeTokens, missTokens } = send(items, at)
      const tokens = readTokens + writeTokens + missTokens
      const outputTokens = outputOf(answer, sizes)
      const usage: Usage = { input: tokens, output: outputTokens, cacheRead: readTokens, cacheWrite: writeTokens }
      return {
        message: answer.index,
        at,
        tokens,
        cacheRead: readTokens,
        cacheWrite: writeTokens,
        cacheMiss: missTokens,
        billedCacheRead: answer.bill?.cacheRead ?? null,
        outputTokens,
        costUsd: priceUsage(info?.price ?? null, usage),
        layers: measureLayers(items, sizes.headTokens),
      }
    },
    payEvent({ call, ...event }, at) {
      const { prefix, inputTokens, outputTokens, model: asked } = call ?? NO_CALL
      const sent = prefix === null ? NOTHING_SENT : send(prefix, at)
      const { readTokens: cacheRead, writeTokens: cacheWrite, missTokens } = sent
      const input = cacheRead + cacheWrite + missTokens + inputTokens
      const price = asked === null ? info?.price : (registry.describe(asked).price ?? info?.price)
      const costUsd = priceUsage(price ?? null, { input, output: outputTokens, cacheRead, cacheWrite })
      return { ...event, inputTokens: input, outputTokens, costUsd }
    },
  }
}

const NO_CALL: MaintenanceCall = { prefix: null, inputTokens: 0, outputTokens: 0, model: null }
const NOTHING_SENT = { readTokens: 0, writeTokens: 0, missTokens: 0 }

const cacheItems = new WeakMap<RequestItem, CacheItem>()

function toCacheItem(item: RequestItem): CacheItem {
  const known = cacheItems.get(item)
  if (known !== undefined) return known
  const { key, tokens, message } = item
  const cacheItem = { key, tokens, blocks: Math.max(1, message.parts.length) }
  cacheItems.set(item, cacheItem)
  return cacheItem
}

/** Some programs store the count of a stream that had just begun: less than half of what the answer takes is such a count. */
function outputOf({ bill, index }: ReplayMessage, sizes: MessageSizes): number {
  const counted = sizes.tokensOfStored(index)
  return bill !== null && bill.output * 2 >= counted ? bill.output : counted
}

function measureLayers(items: readonly RequestItem[], head: number): Layers {
  const layers = { head, summary: 0, pins: 0, user: 0, assistant: 0, tool: 0, shortened: 0 }
  for (const { kind, state, tokens } of items) {
    if (kind === 'summary' || kind === 'acknowledgement') layers.summary += tokens
    else if (kind === 'pin' || kind === 'recalled') layers.pins += tokens
    else if (state !== 'verbatim') layers.shortened += tokens
    else layers[kind] += tokens
  }
  return layers
}
