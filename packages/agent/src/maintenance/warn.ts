import { readGauge } from '@longhaul/engine/advanced'
import type { ActiveSession } from '../session/active-session.ts'

/** Percent of the window at which the user is told, once each until the context has shrunk again. */
const WARN_AT = [70, 85] as const

/** Tells the user when the context fills up. What was reached before its owner took the session has been told. */
export function createWarning(session: ActiveSession): (turnId: string | null) => void {
  let told = findMark(readGauge(session.context()).percent)
  return (turnId) => {
    const { percent } = readGauge(session.context())
    const mark = findMark(percent)
    if (mark > told) session.events.emit(turnId, { type: 'context-warning', percent: Math.round(percent ?? 0) })
    told = mark
  }
}

function findMark(percent: number | null): number {
  return WARN_AT.findLast((mark) => (percent ?? 0) >= mark) ?? 0
}
