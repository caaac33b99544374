/** With three calls under way at a time, the chunks of a window take about as long as three calls one after the other. */
const CALLS_AT_ONCE = 3

/** Asks for each element, at most three at a time, and returns the answers in the order of the elements. */
export async function askInOrder<T, A>(elements: readonly T[], ask: (element: T) => Promise<A>): Promise<readonly A[]> {
  const answers: A[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < elements.length) {
      const index = next
      next += 1
      answers[index] = await ask(elements[index] as T)
    }
  }
  await Promise.all(Array.from({ length: Math.min(CALLS_AT_ONCE, elements.length) }, work))
  return answers
}
