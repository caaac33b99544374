/** Ends the wait for work that takes too long, such as that of a store which hangs. */
export interface Deadline {
  /** Resolves with what the work gives; null: it took too long. The work itself goes on. */
  readonly within: <T>(work: Promise<T>) => Promise<T | null>
}

/** While earlier work is still stuck, nobody waits as long for the next. */
const STUCK_SHARE = 0.05

export function createDeadline(deadlineMs: number): Deadline {
  let stuck = 0
  return {
    async within(work) {
      let timer: NodeJS.Timeout | undefined
      const ms = stuck > 0 ? deadlineMs * STUCK_SHARE : deadlineMs
      const late = new Promise<null>((resolve) => {
        timer = setTimeout(() => {
          stuck += 1
          const free = (): void => void (stuck -= 1)
          work.then(free, free)
          resolve(null)
        }, ms)
      })
      try {
        return await Promise.race([work, late])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
