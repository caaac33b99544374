import { readGauge } from '../session/active-session.ts'
import type { ActiveSession } from '../session/active-session.ts'

/** Percent of the window at which the user is told, once each until the context has shrunk again. */
const WARN_AT = [70, 85] as const

const warned = new WeakMap<ActiveSession, number>()

export function warnIfFull(session: ActiveSession, turnId: string | null): void {
  const { percent } = readGauge(session)
  if (percent === null) return
  const reached = WARN_AT.findLast((mark) => percent >= mark) ?? 0
  const before = warned.get(session) ?? 0
  warned.set(session, reached)
  if (reached > before) session.events.emit(turnId, { type: 'context-warning', percent: Math.round(percent) })
}
