import type { Maintenance } from '../maintenance/create-maintenance.ts'

/**
 * The time in which nothing is asked of a session, counted from the last thing that was. Looking in vain does not make it
 * longer: else everything that other sessions and processes write would keep this one from being given back.
 */
export interface IdleTime {
  /** Something was dealt with. */
  restart(): void
  /** Something may have come. */
  ring(): void
  /** True: look for more. False: nobody has written for so long that the session is given back. */
  pass(maintenance: Maintenance): Promise<boolean>
}

/** How long an owner keeps a session that nobody writes to. */
const DEFAULT_IDLE_MS = 30_000
/** With a summary ready for it: by then prompt caches are cold, and using it breaks none. */
const PREPARED_IDLE_MS = 5 * 60_000
/** Longer than any work beside a conversation takes. */
const MAX_WORK_MS = 10 * 60_000

export function createIdleTime(): IdleTime {
  const wakeUp = createWakeUp()
  /** A heartbeat is over as soon as something comes in. */
  let beating = new AbortController()
  let startedAt = performance.now()
  return {
    restart: () => void (startedAt = performance.now()),
    ring() {
      beating.abort()
      wakeUp.wake()
    },
    async pass({ driver, heartbeat, session }) {
      beating = new AbortController()
      if (driver.isBusy()) {
        // It was begun for this session and is paid for: the session is not given back before it ends.
        void driver.settled().then(wakeUp.wake)
        await wakeUp.wait(MAX_WORK_MS)
        return true
      }
      const dueInMs = await heartbeat.dueInMs()
      if (dueInMs === null) {
        const idleMs = session.agent.idleMs ?? (driver.holdsSummary() ? PREPARED_IDLE_MS : DEFAULT_IDLE_MS)
        return wakeUp.wait(Math.max(0, startedAt + idleMs - performance.now()))
      }
      if (!(await wakeUp.wait(dueInMs))) await heartbeat.beat(beating.signal)
      return true
    },
  }
}

/** A bell that is not missed: ringing before somebody waits counts too. */
interface WakeUp {
  readonly wake: () => void
  /** True if it rang, false if the time passed without. */
  wait(timeoutMs: number): Promise<boolean>
}

function createWakeUp(): WakeUp {
  let hasRung = false
  let waiter: (() => void) | null = null
  return {
    wake() {
      hasRung = true
      waiter?.()
    },
    async wait(timeoutMs) {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs)
          waiter = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        waiter = null
      }
      const rang = hasRung
      hasRung = false
      return rang
    },
  }
}
