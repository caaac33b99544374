import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What makes the page as it is now hard to use for some, each with the first element it is about. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  // Evaluated by the browser's own tools: the page's policy lets no foreign script in.
  await page.evaluate(await readFile(AXE, 'utf8'))
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
}
