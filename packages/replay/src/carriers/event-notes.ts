import type { DriverEvent, EntryBody } from '@longhaul/engine/advanced'
import type { CallMeter } from './call-meter.ts'
import type { MaintenanceCall, ReplayEvent, RequestItem } from './carrier.ts'
import type { Session } from './engine-session.ts'

/** Turns entries and events of the driver into those of a replay. */
export interface EventNotes {
  readonly append: (bodies: readonly EntryBody[], at: number) => Promise<void>
  readonly hear: (event: DriverEvent) => void
  /** The events since the last call. */
  readonly take: () => readonly ReplayEvent[]
}

export function createEventNotes(
  session: Session,
  callMeter: CallMeter,
  request: () => readonly RequestItem[],
): EventNotes {
  let events: ReplayEvent[] = []
  let isWaited = false
  /** The call of a summary that is not in the log yet. */
  let call: MaintenanceCall | null = null

  function note(body: EntryBody, tokensBefore: number): void {
    const sizes = { tokensBefore, tokensAfter: session.readTokens() }
    if (body.type === 'prune' || body.type === 'trim') {
      events.push({ action: body.type, reason: body.reason, isForeground: false, ...sizes, call: null })
    } else if (body.type === 'compaction' || body.type === 'maintenance-failed') {
      const action = body.type === 'compaction' ? 'compact' : 'failed'
      events.push({ action, reason: body.reason, isForeground: isWaited, ...sizes, call })
      call = null
    }
  }

  function hear(event: DriverEvent): void {
    if (event.type === 'problem') throw event.error
    if (event.type === 'compact-started') isWaited = event.isWaited
    if (event.type === 'compact-completed') isWaited = false
    if (event.type !== 'flush-started' && event.type !== 'summary-made') return
    const tokens = session.readTokens()
    const sizes = { tokensBefore: tokens, tokensAfter: tokens }
    if (event.type === 'flush-started') {
      const { reason, isWaited: isForeground } = event
      events.push({ action: 'flush', reason, isForeground, ...sizes, call: callMeter.flushCall(request()) })
      return
    }
    const { plan, outcome } = event
    const made = callMeter.summaryCall(plan, outcome)
    if (plan.reason === 'prepared') {
      events.push({ action: 'prepare', reason: plan.reason, isForeground: false, ...sizes, call: made })
    } else call = made
  }

  return {
    async append(bodies, at) {
      for (const body of bodies) {
        const tokensBefore = session.readTokens()
        session.append(body, at)
        note(body, tokensBefore)
      }
    },
    hear,
    take() {
      const taken = events
      events = []
      return taken
    },
  }
}
