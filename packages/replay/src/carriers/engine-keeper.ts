import { createDriver } from '@longhaul/engine/advanced'
import type { SummaryWriter } from '../summaries/summaries.ts'
import type { CallMeter } from './call-meter.ts'
import type { Carrier, Moment, RequestItem } from './carrier.ts'
import { createEventNotes } from './event-notes.ts'
import type { Session } from './engine-session.ts'

interface KeeperInput {
  readonly session: Session
  readonly callMeter: CallMeter
  readonly summaries: SummaryWriter
  readonly request: () => readonly RequestItem[]
}

/**
 * The engine's driver at work on a replayed conversation, as in the agent. Time is that of the transcript: what runs
 * beside the conversation is ready before the next message.
 */
export function createKeeper({ session, callMeter, summaries, request }: KeeperInput): Carrier['maintain'] {
  let moment: Moment = { checkPoint: 'before-turn', at: 0 }
  const notes = createEventNotes({ session, callMeter, request, now: () => moment.at })
  const driver = createDriver({
    clock: { now: () => moment.at, after: () => () => undefined },
    createStop: () => new AbortController(),
    session: session.context,
    append: notes.append,
    summarizer: () => ({ ask: summaries.ask }),
    strategies: summaries.strategies,
    flush: () => notes.append([{ type: 'flush', outcome: 'silent' }]),
    maySpend: async () => true,
    tell: notes.hear,
  })

  return async (next) => {
    moment = next
    const { checkPoint } = moment
    const { signal } = new AbortController()
    const plan = await driver.ready({ checkPoint, signal, patience: { leftMs: Number.POSITIVE_INFINITY } })
    await driver.settled()
    const events = notes.take()
    if (plan.action !== 'block') return events
    const { tokens } = plan.numbers
    const sizes = { tokensBefore: tokens, tokensAfter: tokens }
    return [...events, { action: 'block', reason: plan.reason, isForeground: true, ...sizes, call: null }]
  }
}
