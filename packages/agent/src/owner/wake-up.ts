/** A bell that is not missed: ringing before somebody waits counts too. */
export interface WakeUp {
  readonly wake: () => void
  /** True if it rang, false if the time passed without. */
  wait(timeoutMs: number): Promise<boolean>
}

export function createWakeUp(): WakeUp {
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
