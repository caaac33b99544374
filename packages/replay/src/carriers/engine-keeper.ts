import { createDriver } from '@longhaul/engine/advanced'
import type { CompactionPlan, DriverEvent, EntryBody } from '@longhaul/engine/advanced'
import type { SummaryWriter } from '../summaries/summaries.ts'
import type { CallMeter } from './call-meter.ts'
import type { Carrier, MaintenanceCall, Moment, ReplayEvent, RequestItem } from './carrier.ts'
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
  let events: ReplayEvent[] = []
  let isWaited = false
  /** The calls of a summary that is not in the log yet. */
  let made: { readonly plan: CompactionPlan; readonly call: MaintenanceCall | null } | null = null

  async function append(bodies: readonly EntryBody[]): Promise<void> {
    for (const body of bodies) {
      const tokensBefore = session.readTokens()
      session.append(body, moment.at)
      note(body, tokensBefore)
    }
  }

  function note(body: EntryBody, tokensBefore: number): void {
    const sizes = { tokensBefore, tokensAfter: session.readTokens() }
    const call = made?.call ?? null
    switch (body.type) {
      case 'prune':
      case 'trim':
        events.push({ action: body.type, reason: body.reason, isForeground: false, ...sizes, call: null })
        return
      case 'compaction':
        events.push({ action: 'compact', reason: body.reason, isForeground: isWaited, ...sizes, call })
        made = null
        return
      case 'maintenance-failed':
        events.push({ action: 'failed', reason: body.reason, isForeground: isWaited, ...sizes, call })
        made = null
        return
      default:
    }
  }

  function hear(event: DriverEvent): void {
    const tokens = session.readTokens()
    const sizes = { tokensBefore: tokens, tokensAfter: tokens }
    switch (event.type) {
      case 'flush-started': {
        const call = callMeter.flushCall(request())
        events.push({ action: 'flush', reason: event.reason, isForeground: event.isWaited, ...sizes, call })
        return
      }
      case 'compact-started':
        isWaited = event.isWaited
        return
      case 'compact-completed':
        isWaited = false
        return
      case 'summary-made': {
        const { plan, outcome } = event
        const call = callMeter.summaryCall(plan, outcome)
        if (plan.reason === 'prepared') {
          events.push({ action: 'prepare', reason: plan.reason, isForeground: false, ...sizes, call })
        } else made = { plan, call }
        return
      }
      case 'problem':
        throw event.error
      default:
    }
  }

  const driver = createDriver({
    clock: { now: () => moment.at, after: () => () => undefined },
    createStop: () => new AbortController(),
    session: session.context,
    append,
    summarizer: () => ({ ask: summaries.ask }),
    strategies: summaries.strategies,
    flush: () => append([{ type: 'flush', outcome: 'silent' }]),
    maySpend: async () => true,
    tell: hear,
  })

  return async (next) => {
    moment = next
    events = []
    const { checkPoint } = moment
    const { signal } = new AbortController()
    const plan = await driver.ready({ checkPoint, signal, patience: { leftMs: Number.POSITIVE_INFINITY } })
    await driver.settled()
    if (plan.action === 'block') {
      const { tokens } = plan.numbers
      events.push({
        action: 'block',
        reason: plan.reason,
        isForeground: true,
        tokensBefore: tokens,
        tokensAfter: tokens,
        call: null,
      })
    }
    return events
  }
}
