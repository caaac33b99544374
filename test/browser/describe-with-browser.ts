import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { launchChromium } from './launch-chromium.ts'

/**
 * Declares tests that need a browser, which they share. Where none starts they are left out, and the end of the report
 * says so; in CI they fail.
 */
export function describeWithBrowser(title: string, body: (browser: () => Browser) => void): void {
  describe(title, () => {
    let browser: Browser | null = null
    let problem = 'it was not started'
    beforeAll(async () => {
      try {
        browser = await launchChromium()
      } catch (error) {
        if (process.env['CI']) throw error
        problem = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
      }
    })
    beforeEach(({ skip }) => {
      if (browser === null) skip(`needs a browser: ${problem}; LONGHAUL_CHROMIUM may name another`)
    })
    afterAll(() => browser?.close())
    body(() => {
      if (browser === null) throw new Error(problem)
      return browser
    })
  })
}
