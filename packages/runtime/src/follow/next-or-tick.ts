const TICK = Symbol('tick')

/** What comes next, or `TICK` if it takes longer than this; then the same promise is waited for again. */
export async function nextOrTick<T>(next: Promise<T>, tickMs: number): Promise<T | typeof TICK> {
  let timer: NodeJS.Timeout | undefined
  const ticked = new Promise<typeof TICK>((resolve) => {
    timer = setTimeout(() => resolve(TICK), tickMs)
  })
  try {
    return await Promise.race([next, ticked])
  } finally {
    clearTimeout(timer)
  }
}

export { TICK }
