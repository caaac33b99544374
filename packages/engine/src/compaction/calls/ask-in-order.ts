import type { AskedSummary } from './ask-summary.ts'

/** With three calls under way at a time, the chunks of a window take about as long as three calls one after the other. */
const CALLS_AT_ONCE = 3

/** Asks for each element and returns the answers in order. After the first failure nothing more is asked. */
export async function askInOrder<T>(
  elements: readonly T[],
  ask: (element: T) => Promise<AskedSummary>,
): Promise<
  { readonly ok: true; readonly texts: readonly string[] } | { readonly ok: false; readonly problem: string }
> {
  const texts: string[] = []
  let problem: string | null = null
  let next = 0
  const work = async (): Promise<void> => {
    while (next < elements.length && problem === null) {
      const index = next
      next += 1
      const asked = await ask(elements[index] as T)
      if (asked.ok) texts[index] = asked.text
      else
        problem ??= elements.length === 1 ? asked.problem : `part ${index + 1} of ${elements.length}: ${asked.problem}`
    }
  }
  await Promise.all(Array.from({ length: Math.min(CALLS_AT_ONCE, elements.length) }, work))
  return problem === null ? { ok: true, texts } : { ok: false, problem }
}
