import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What fades in has too little contrast until it is there. Some movements, such as that of a spinner, never end. */
const END_OF_MOVEMENTS = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished))`

/** What makes the page as it is now, or what this selects, hard to use for some, each with the first element it is about. */
export async function findViolations(page: Page, selector = ':root'): Promise<readonly string[]> {
  await page.evaluate(END_OF_MOVEMENTS)
  // Evaluated by the browser's own tools: the page's policy lets no foreign script in.
  await page.evaluate(await readFile(AXE, 'utf8'))
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(selector)})`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
}
