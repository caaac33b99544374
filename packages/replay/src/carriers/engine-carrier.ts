import { resolveLimits } from '@longhaul/engine/advanced'
import type { ContextPolicy, Environment, Limits, ViewItem } from '@longhaul/engine/advanced'
import type { ReplayMessage } from '../conversation/conversation.ts'
import { entryIdOf, indexOfEntry } from '../summaries/summaries.ts'
import type { Carrier, CarrierOptions, RequestItem } from './carrier.ts'
import { createCallMeter } from './call-meter.ts'
import { createKeeper } from './engine-keeper.ts'
import { createSession } from './engine-session.ts'

/** A policy of Longhaul, carried out by its engine as the agent does it, with bills by the replay's own count. */
export function createEngineCarrier(wanted: ContextPolicy, options: CarrierOptions): Carrier {
  const { conversation, windowTokens, maxOutputTokens, summaries } = options
  const policy: ContextPolicy = {
    ...wanted,
    compaction: { ...wanted.compaction, strategy: summaries.strategyFor(wanted.compaction.strategy) },
  }
  const limits = resolveLimits(policy, {
    windowTokens: Math.min(windowTokens, policy.contextTokens ?? Number.POSITIVE_INFINITY),
    maxOutputTokens,
  })
  if (limits === null) throw new Error('the window is given, so there are limits')
  const environment: Environment = { system: conversation.system, files: [], tools: [] }
  const session = createSession(policy, limits, environment)
  const callMeter = createCallMeter(wanted, limits, options)
  const items = new WeakMap<ViewItem, RequestItem>()
  const requestItem = (item: ViewItem): RequestItem => {
    const known = items.get(item) ?? readItem(item, options, policy, limits)
    items.set(item, known)
    return known
  }
  const request = (): readonly RequestItem[] => session.view().items.map(requestItem)
  return {
    append(message, usage) {
      const parts = message.storedParts({ keep: policy.toolResults.keep, maxChars: limits.toolResultMaxChars })
      const id = entryIdOf(message.index)
      session.append(
        usage === null
          ? { type: 'message', role: message.role, parts }
          : { type: 'message', role: message.role, parts, usage, anchor: session.learn(usage.input) },
        message.at,
        id,
      )
    },
    maintain: createKeeper({ session, callMeter, summaries, request }),
    request,
  }
}

function readItem(
  item: ViewItem,
  { conversation, sizes }: CarrierOptions,
  policy: ContextPolicy,
  limits: Limits,
): RequestItem {
  const { key, kind, state, message } = item
  const index = item.entry === null ? null : indexOfEntry(item.id)
  const said: ReplayMessage | undefined = index === null ? undefined : conversation.messageAt(index)
  const rule = { keep: policy.toolResults.keep, maxChars: limits.toolResultMaxChars }
  const isAsStored = said !== undefined && state === 'verbatim' && said.storedParts(rule) === said.parts
  const isShortened = said !== undefined && state === 'verbatim' && !isAsStored
  return {
    key,
    kind,
    state: isShortened ? 'soft-trimmed' : state,
    message,
    tokens: isAsStored ? sizes.tokensOfStored(said.index) : sizes.tokensOf(message),
    index,
  }
}
