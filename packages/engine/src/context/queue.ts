const noValue = (): void => undefined

/** Runs one task after the other, in the order of the calls. A task that fails does not stop the next. */
export function createQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = last.then(task)
    // Without its value: an idle queue would keep the result of its last task in memory.
    last = result.then(noValue, noValue)
    return result
  }
}
