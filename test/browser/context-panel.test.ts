import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeWithBrowser } from './describe-with-browser.ts'
import { findViolations } from './find-violations.ts'
import { startWebApp } from './start-web-app.ts'
import type { PageWishes } from './open-page.ts'

const QUESTION = 'Which boats does the club have?'

describeWithBrowser('the context made visible', (browser) => {
  /** The sample after two questions: memory was saved and a summary made beside the first, and the second was sent with it. */
  async function openSample(wishes: PageWishes = {}) {
    const app = await startWebApp()
    const { id } = await app.client.createSample()
    await app.say(id, 'What is the plan for the boathouse?')
    await app.say(id, QUESTION)
    const page = await app.open(browser(), { ...wishes, route: `/s/${id}` })
    await page.getByText(QUESTION).last().waitFor()
    return { app, id, page }
  }

  it('ONE-18 the gauge tells how full the context is, who says so and when a compaction comes', async () => {
    const { app, id, page } = await openSample()
    const { tokens } = await app.client.getStatus(id)
    const percent = `${Math.round(tokens.percent ?? 0)} %`
    const amount = `${tokens.context?.toLocaleString('en')} of ${tokens.window?.toLocaleString('en')} tokens`
    await page.getByRole('button', { name: `Context ${percent}: ${amount}, reported by the provider.` }).waitFor()
    const card = page.getByRole('region', { name: 'How full the context is' })
    const words = (await card.innerText()).replaceAll(/\s+/g, ' ')
    expect(words).toContain(`${percent} ${amount} reported by the provider`)
    expect(words).toMatch(/compaction/)
  })

  it('what gauge and panel show is asked for once, and compactions only when there are others', async () => {
    const app = await startWebApp()
    const { id } = await app.client.createSession({})
    const page = await app.open(browser(), { route: '/nowhere' })
    const asked: string[] = []
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
    const count = (rest: string): number => asked.filter((path) => path === `/api/sessions/${id}${rest}`).length
    await page.goto(`${app.url}/#/s/${id}`)
    await page.getByRole('region', { name: 'How full the context is' }).waitFor()
    await page.getByRole('button', { name: /^Context / }).waitFor()
    expect(['', '/status', '/compactions'].map(count)).toEqual([1, 1, 1])

    await page.getByRole('textbox', { name: 'Message' }).fill(QUESTION)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /reported by the provider/ }).waitFor()
    await page.getByText('Ready for your message.').waitFor({ state: 'attached' })
    expect(count('/status')).toBe(count(''))
    expect(count('/compactions')).toBe(1)
  })

  it('the window is drawn as layers, and every item opens to its exact text', async () => {
    const { app, id, page } = await openSample()
    const layers = page.getByRole('list', { name: 'Layers of the context window' })
    await layers.getByText('Reserve').waitFor()
    const names = await layers.getByRole('listitem').allInnerTexts()
    expect(names.map((text) => text.split('\n')[0])).toEqual([
      'System prompt',
      'Tools',
      'Summary',
      'Messages',
      'Tool calls and results',
      'Free',
      'Reserve',
    ])
    await layers.getByRole('button', { name: 'Summary' }).click()
    const items = page.getByRole('region', { name: 'Items in the context window' }).getByRole('listitem')
    await expect.poll(async () => items.count()).toBe(2)
    const summary = items.getByRole('button')
    await summary.click()
    const { items: all } = await app.client.getContext(id)
    const { text } = await app.client.getContextText(id, all.find(({ kind }) => kind === 'summary')?.id ?? '')
    const dialog = page.getByRole('dialog', { name: 'Summary' })
    await expect.poll(async () => dialog.getByRole('group', { name: 'Exact text' }).textContent()).toBe(text)
    expect(await dialog.innerText()).toContain('Stands for older messages')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // The dialog gives the focus back once it has gone.
    await expect.poll(() => summary.evaluate((element) => element.matches(':focus'))).toBe(true)
  })

  it('of a thousand items only those in sight are in the page', async () => {
    const app = await startWebApp()
    const lines = Array.from({ length: 1_000 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Line ${index + 1}`,
    }))
    const { session } = await app.client.importSession(JSON.stringify(lines))
    const page = await app.open(browser(), { route: `/s/${session.id}` })
    const list = page.getByRole('region', { name: 'Items in the context window' })
    await list.getByText('Line 3', { exact: true }).waitFor()
    expect(await list.getByRole('heading', { level: 2 }).innerText()).toMatch(/^1,00\d items$/)
    expect(await list.getByRole('button').count()).toBeLessThan(100)
    await page.getByRole('tabpanel').evaluate((panel) => panel.scrollTo(0, panel.scrollHeight))
    await list.getByText('Line 1000', { exact: true }).waitFor()
    expect(await list.getByRole('button').count()).toBeLessThan(100)
  })

  it('the timeline shows every request with what was done between them, and opens what the model saw', async () => {
    const { app, id, page } = await openSample()
    const turn = (await app.client.listRequests(id)).items.find(({ purpose }) => purpose === 'turn')
    await page.getByRole('tab', { name: 'Timeline' }).click()
    const chart = page.getByRole('img', { name: /^Tokens of \d+ requests/ })
    await chart.locator('canvas').waitFor()
    const signs = await page.getByRole('list', { name: 'Signs in the chart' }).innerText()
    for (const sign of ['Threshold', 'Compaction (1)', 'Memory flush (2)', 'Pruning (1)']) expect(signs).toContain(sign)

    await page.getByRole('button', { name: `Open request ${turn?.number}`, exact: true }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: `Request #${turn?.number}: what the model saw` })
    await dialog.getByText('✓ Exact: byte for byte what was sent').waitFor()
    const sent = dialog.getByRole('region', { name: 'Items of the request, in the order of sending' })
    await sent.locator('[tabindex="0"]').evaluate((list) => list.scrollTo(0, 1_000_000))
    await sent.getByText(QUESTION).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await chart.click({ position: { x: 180, y: 120 } })
    await page.getByRole('dialog', { name: /^Request #\d+: what the model saw$/ }).waitFor()
  })

  it('the timeline says what lies below the pointer, whatever language the browser thinks it speaks', async () => {
    const { page } = await openSample()
    // As Chromium does under `LANG=C`.
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })")
    await page.reload()
    await page.getByRole('tab', { name: 'Timeline' }).click()
    const chart = page.getByRole('img', { name: /^Tokens of \d+ requests/ })
    await page.getByText('Point at a request to read it, click to open it.').waitFor()
    await chart.hover({ position: { x: 200, y: 120 } })
    const reading = page.getByText(/^#\d+ · /)
    await reading.waitFor()
    expect(await reading.innerText()).toMatch(
      /^#\d+ · [\d,]+ tokens · after compaction [\d.]+k → [\d.]+k, memory flush$/,
    )
  })

  it('the line in the chat leads to the card of its compaction, on a desk and on a phone', async () => {
    const { app, id, page } = await openSample()
    await page.getByRole('button', { name: /^Context compacted · / }).click()
    await page.getByRole('article', { name: 'Compaction 1' }).waitFor()
    const phone = await app.open(browser(), { route: `/s/${id}`, width: 390, height: 844 })
    await phone.getByRole('button', { name: /^Context compacted · / }).click()
    const sheet = phone.getByRole('dialog', { name: 'Context' })
    // The focus goes back to the line in the chat; its tooltip would lie over what one was led to.
    await sheet.getByRole('button', { name: 'Show original message 1', exact: true }).first().click()
    await sheet.waitFor({ state: 'detached' })
    await phone.getByRole('button', { name: 'Jump to newest' }).click()
    expect(await phone.getByRole('tooltip').count()).toBe(0)
    await phone.getByRole('button', { name: /^Context compacted · / }).click()
    await sheet.getByRole('article', { name: 'Compaction 1' }).getByRole('button', { name: 'Undo' }).click()
    await sheet.getByText('Taken back: the model reads the messages themselves again.').waitFor()
    await sheet.getByText('After your undo, the next compaction comes when the window is full.').waitFor()
    await phone.keyboard.press('Escape')
    await phone.getByRole('button', { name: /^Compaction, undone · / }).waitFor()
    expect(await page.getByText('After your undo, the next compaction comes').count()).toBeGreaterThan(0)
  })

  it('SPEC-07 a compaction is a card with its numbers, its ledger and ways back to the original messages', async () => {
    const { app, id, page } = await openSample()
    const [compaction] = (await app.client.listCompactions(id)).items
    await page.getByRole('tab', { name: 'Compactions' }).click()
    const card = page.getByRole('article', { name: 'Compaction 1' })
    await card.waitFor()
    const words = await card.innerText()
    expect(words).toContain(`${compaction?.tokensAfter.toLocaleString('en')} tokens`)
    expect(words).toMatch(/Coverage \d+ %/)
    expect(words).toMatch(/\d+ messages summarised by offline\/extractive/)

    await card.getByText(/^Ledger: \d+ facts carried over$/).click()
    await card.getByText(/^Files changed \(\d+\)$/).waitFor()
    const source = compaction?.items.flatMap(({ sources }) => sources)[0]
    const original = (await app.client.listMessages(id, { limit: 200 })).items.find((message) => message.id === source)
    const said = original?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))[0] ?? ''
    await card.getByRole('button', { name: 'Show original message 1', exact: true }).first().click()
    await page.getByRole('main').getByText(said.slice(0, 40)).waitFor()
  })

  it('OPEN-14 compacts when asked to, takes that back, and says why where it cannot', async () => {
    const { app, id, page } = await openSample()
    await page.getByRole('tab', { name: 'Compactions' }).click()
    await page.getByLabel('What the summary should keep in view (optional)').fill('the costs')
    await page.getByRole('button', { name: 'Compact now' }).click()
    const second = page.getByRole('article', { name: 'Compaction 2' })
    await second.getByText('You asked for it.').waitFor()
    await second.getByRole('button', { name: 'Undo' }).click()
    await second.getByText('↩ Undone').waitFor()
    expect(await second.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    expect((await app.client.listCompactions(id)).items.map(({ undone }) => undone)).toEqual([true, false])

    await app.client.changeSession(id, { policy: { contextTokens: 12_000 } })
    const first = page.getByRole('article', { name: 'Compaction 1' })
    await first.getByRole('button', { name: 'Undo' }).click()
    await first.getByRole('alert').waitFor()
    const refusal = await app.client.undo(id).catch((error: Error) => error.message)
    expect(await first.getByRole('alert').innerText()).toBe(refusal)
  })

  it('says why where there is nothing to compact', async () => {
    const app = await startWebApp()
    const { id } = await app.client.createSession()
    const page = await app.open(browser(), { route: `/s/${id}` })
    await page.getByRole('tab', { name: 'Compactions' }).click()
    await page.getByText('Nothing has been compacted yet.').waitFor()
    await page.getByRole('button', { name: 'Compact now' }).click()
    const refusal = await app.client.compact(id).catch((error: Error) => error.message)
    expect(await page.getByRole('alert').innerText()).toBe(refusal)
  })

  it('pins are added, sent, refused where they are too large, and removed', async () => {
    const { app, id, page } = await openSample()
    await page.getByRole('tab', { name: 'Pins' }).click()
    await page.getByLabel('New pin').fill('Answer in British English.')
    await page.getByRole('button', { name: 'Pin it' }).click()
    const pins = page.getByRole('list', { name: 'Pinned texts' })
    await pins.getByText('Answer in British English.').waitFor()
    await page.getByRole('tab', { name: 'Window' }).click()
    await page.getByRole('list', { name: 'Layers of the context window' }).getByText('Pins').waitFor()

    await page.getByRole('tab', { name: 'Pins' }).click()
    await page.getByLabel('New pin').fill('A very long rule. '.repeat(1_000))
    await page.getByRole('button', { name: 'Pin it' }).click()
    await page.getByRole('alert').waitFor()
    const refusal = await app.client
      .addPin(id, 'A very long rule. '.repeat(1_000))
      .catch((error: Error) => error.message)
    expect(await page.getByRole('alert').innerText()).toBe(refusal)

    await pins.getByRole('button', { name: 'Remove pin 1' }).click()
    await page.getByText('Nothing is pinned yet.').waitFor()
  })

  async function visitTabs(page: Page): Promise<readonly string[]> {
    const found: string[] = []
    for (const name of ['Window', 'Timeline', 'Compactions', 'Pins']) {
      await page.getByRole('tab', { name }).click()
      await page.getByRole('tabpanel', { name }).getByRole('heading').first().waitFor()
      found.push(...(await findViolations(page)).map((violation) => `${name}: ${violation}`))
    }
    return found
  }

  it('is usable by everybody, in light and dark, on a desk and on a phone', async () => {
    const { app, id, page } = await openSample()
    expect(await visitTabs(page)).toEqual([])
    for (const width of [1_440, 390]) {
      const dark = await app.open(browser(), { route: `/s/${id}`, width, theme: 'dark' })
      await openSheet(dark, width)
      expect(await visitTabs(dark)).toEqual([])
      expect(await dark.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
  })
})

/** On a narrow screen the panel is a sheet that the gauge opens. */
async function openSheet(page: Page, width: number): Promise<void> {
  if (width < 1_000) await page.getByRole('button', { name: /^Context \d/ }).click()
}
