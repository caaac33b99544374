import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PEERS, createPage, createPeerPolicy, createPresetPolicy, replay } from '@longhaul/replay'
import { writeTranscript } from '@longhaul/store/jsonl'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { takeReplayPicture } from '../../docs/take-replay-picture.ts'
import { buildSession } from '../../packages/replay/src/testing/build-session.ts'
import { describeWithBrowser } from './describe-with-browser.ts'

const TITLE = '</script><script>document.title = "taken"</script><img src=x onerror="document.title = 1">'
const WIDTHS = [1_280, 390]

describeWithBrowser('the replay page', (browser) => {
  let folder = ''
  let url = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longhaul-page-'))
    const built = buildSession({ turns: 16, stepsPerTurn: 4, resultChars: 8_000 })
    const session = { ...built, session: { ...built.session, title: TITLE } }
    const policies = [createPresetPolicy('longhaul'), createPresetPolicy('micro'), ...PEERS.map(createPeerPolicy)]
    const countTokens = (text: string): number => Math.ceil(text.length / 4)
    const file = join(folder, 'replay.html')
    await writeFile(file, createPage(await replay([session], policies, { countTokens, windowTokens: 40_000 })))
    url = pathToFileURL(file).href
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('draws its plots without an error and without asking for anything', async () => {
    const { page, complaints, requests } = await openPage(browser(), url)
    expect(await page.locator('svg').count()).toBe(4)
    expect(await page.locator('polyline').count()).toBeGreaterThanOrEqual(2 * PEERS.length)
    expect(await page.locator('polygon').count()).toBe(7)
    const points = await page.locator('polyline, polygon').evaluateAll((all) => all.map((each) => each.outerHTML))
    expect(points.filter((each) => /NaN|undefined|Infinity/.test(each))).toEqual([])
    expect(await page.title()).toBe('Longhaul replay')
    expect(await page.locator('option').allTextContents()).toContain(TITLE)
    expect(complaints).toEqual([])
    expect(requests).toEqual([url])
  })

  it('tells the window at any moment: the slider moves it', async () => {
    const { page } = await openPage(browser(), url)
    const slider = page.getByRole('slider', { name: 'request' })
    const moment = page.locator('output.moment')
    await slider.fill('0')
    expect(await moment.textContent()).toContain('request 1 (message 2)')
    await slider.press('ArrowRight')
    expect(await moment.textContent()).toContain('request 2 (message 4)')
    await page.getByLabel('policy', { exact: true }).selectOption('Codex')
    await slider.fill('40')
    expect(await moment.textContent()).toContain('request 41')
  })

  it('puts a policy in colour and back, and reads values under the pointer', async () => {
    const { page } = await openPage(browser(), url)
    const chip = page.getByRole('button', { name: 'opencode' })
    const before = await chip.getAttribute('aria-pressed')
    await chip.click()
    expect(await chip.getAttribute('aria-pressed')).not.toBe(before)
    const plot = page.getByRole('img', { name: 'tokens of each request' })
    await plot.hover()
    expect(await page.locator('section', { has: plot }).locator('output').textContent()).toMatch(
      /request \d+.*longhaul \d+k/,
    )
  })

  it('is what the picture in the README is taken of', async () => {
    const file = join(folder, 'session.jsonl')
    await writeFile(file, writeTranscript(buildSession({ turns: 8, stepsPerTurn: 2, resultChars: 400 })))
    const image = join(folder, 'replay.png')
    await takeReplayPicture([file], image)
    expect((await readFile(image)).subarray(1, 4).toString()).toBe('PNG')
  })

  it.each(['light', 'dark'] as const)('fits a phone and can be read by everybody: %s', async (colorScheme) => {
    for (const width of WIDTHS) {
      const { page } = await openPage(browser(), url, { colorScheme, width })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
      await page.evaluate(await readFile(axe, 'utf8'))
      const found = (await page.evaluate('axe.run()')) as { violations: { id: string; nodes: { html: string }[] }[] }
      expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    }
  })
})

interface Opened {
  readonly page: Page
  readonly complaints: readonly string[]
  readonly requests: readonly string[]
}

async function openPage(
  browser: Browser,
  url: string,
  { colorScheme = 'light', width = 1_280 }: { colorScheme?: 'light' | 'dark'; width?: number } = {},
): Promise<Opened> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(url)
  return { page, complaints, requests }
}
