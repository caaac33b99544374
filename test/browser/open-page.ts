import type { Browser, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

export interface PageWishes {
  /** The part of the address after the `#`. */
  readonly route?: string
  readonly width?: number
  readonly height?: number
  readonly theme?: 'light' | 'dark'
}

/** Much longer than any step takes, much shorter than a test may. */
const STEP_MS = 30_000

/** A page of the app at this address, plain or one-time, closed after the test, which fails if the page complained of anything. */
export async function openPage(
  browser: Browser,
  url: string,
  { route = '/', width = 1440, height = 900, theme = 'light' }: PageWishes = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, locale: 'en-GB' })
  const page = await context.newPage()
  const complaints = watch(page, new URL(url).origin)
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  page.setDefaultTimeout(STEP_MS)
  await page.goto(new URL(`#${route}`, url).href)
  return page
}

/** What no page may do, as it does it: errors, things its policy refuses, missing files, requests to others. */
function watch(page: Page, origin: string): readonly string[] {
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    // Refusals of the API are told this way too; what the user reads then is for tests to check.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
      complaints.push(`asks ${request.url()}`)
  })
  page.on('response', (response) => {
    const isRefused = response.status() >= 400 && !new URL(response.url()).pathname.startsWith('/api/')
    if (isRefused || response.status() >= 500) complaints.push(`${response.status()}: ${response.url()}`)
  })
  return complaints
}
