import { setImmediate } from 'node:timers/promises'

/** What one turn of the event loop may take: whatever else this process is at hardly notices. */
const TURN_MS = 8

/** So many entries are dealt with at once; of more, everybody else has a turn in between. */
export const ENTRIES_AT_ONCE = 500

/** Does the same to each of many, turn by turn. */
export async function forEachInTurns<T>(elements: Iterable<T>, work: (element: T) => void): Promise<void> {
  let until = performance.now() + TURN_MS
  for (const element of elements) {
    work(element)
    if (performance.now() < until) continue
    await setImmediate()
    until = performance.now() + TURN_MS
  }
}
