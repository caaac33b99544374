import type { Maintenance } from '../maintenance/create-maintenance.ts'

/** The time after a reply in which maintenance still reports on its turn. It ends with `done`. */
export interface TurnTail {
  /** Ends it now, because something else begins. */
  end(): void
}

/** Nobody who follows a turn waits longer than this for its `done`: a summary that hangs goes on without them. */
const MAX_TAIL_MS = 15_000

export function beginTail({ driver, session, setOpenTurn }: Maintenance, turnId: string): TurnTail {
  let isOver = false
  const timer = setTimeout(end, MAX_TAIL_MS).unref()
  function end(): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    session.events.emit(turnId, { type: 'done' })
    setOpenTurn(null)
  }
  void driver.settled('due').then(end)
  return { end }
}
