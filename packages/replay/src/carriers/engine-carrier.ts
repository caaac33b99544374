import { createDriver, findResultRule, resolveLimits } from '@longhaul/engine/advanced'
import type { ContextPolicy, EntryBody, Environment, ViewItem } from '@longhaul/engine/advanced'
import type { StorageRule } from '../conversation/conversation.ts'
import { entryIdOf, indexOfEntry } from '../summaries/summaries.ts'
import type { SummaryWriter } from '../summaries/summaries.ts'
import { createCallMeter } from './call-meter.ts'
import type { Carrier, CarrierOptions, Moment, RequestItem } from './carrier.ts'
import { createSession } from './engine-session.ts'
import type { Session } from './engine-session.ts'
import { createEventNotes } from './event-notes.ts'
import type { EventNotes } from './event-notes.ts'

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
  const rule = findResultRule({ policy, limits })
  const items = new WeakMap<ViewItem, RequestItem>()
  const requestItem = (item: ViewItem): RequestItem => {
    const known = items.get(item) ?? readItem(item, options, rule)
    items.set(item, known)
    return known
  }
  const request = (): readonly RequestItem[] => session.view().items.map(requestItem)
  const notes = createEventNotes(session, createCallMeter(wanted, limits, options), request)
  return {
    append(message, usage) {
      const parts = message.storedParts(rule)
      const id = entryIdOf(message.index)
      session.append(
        usage === null
          ? { type: 'message', role: message.role, parts }
          : { type: 'message', role: message.role, parts, usage, anchor: session.learn(usage.input) },
        message.at,
        id,
      )
    },
    maintain: createKeeper(session, summaries, notes),
    request,
  }
}

/**
 * The engine's driver at work on a replayed conversation, as in the agent. Time is that of the transcript: what runs
 * beside the conversation is ready before the next message.
 */
function createKeeper(session: Session, summaries: SummaryWriter, notes: EventNotes): Carrier['maintain'] {
  let moment: Moment = { checkPoint: 'before-turn', at: 0 }
  const append = (bodies: readonly EntryBody[]): Promise<void> => notes.append(bodies, moment.at)
  const driver = createDriver({
    clock: { now: () => moment.at, after: () => () => undefined },
    createStop: () => new AbortController(),
    session: session.context,
    append,
    summarizer: () => ({ ask: summaries.ask }),
    strategies: summaries.strategies,
    flush: () => append([{ type: 'flush', outcome: 'silent' }]),
    maySpend: async () => true,
    tell: notes.hear,
  })
  return async (next) => {
    moment = next
    const { signal } = new AbortController()
    const patience = { leftMs: Number.POSITIVE_INFINITY }
    const plan = await driver.ready({ checkPoint: next.checkPoint, signal, patience })
    await driver.settled()
    const events = notes.take()
    if (plan.action !== 'block') return events
    const { tokens } = plan.numbers
    const sizes = { tokensBefore: tokens, tokensAfter: tokens }
    return [...events, { action: 'block', reason: plan.reason, isForeground: true, ...sizes, call: null }]
  }
}

function readItem(item: ViewItem, { conversation, sizes }: CarrierOptions, rule: StorageRule): RequestItem {
  const { key, kind, state, message } = item
  const index = item.entry === null ? null : indexOfEntry(item.id)
  const said = index === null ? undefined : conversation.messageAt(index)
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
