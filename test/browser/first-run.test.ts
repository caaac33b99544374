import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { describeWithBrowser } from './describe-with-browser.ts'
import { startWebApp } from './start-web-app.ts'

const KILOBYTE = 1_000
const MOST_SCRIPT_BYTES = 250 * KILOBYTE

describeWithBrowser('the first run, without a key', (browser) => {
  it('says how to get a real model, and the first message in the sample makes it compact', async () => {
    const app = await startWebApp()
    const page = await app.open(browser())
    await page.getByText('Offline model.').waitFor()
    await page.getByText('ANTHROPIC_API_KEY').waitFor()
    await page.getByText('No chats yet.').waitFor()

    await page.getByRole('button', { name: 'Load a long sample conversation' }).click()
    await page.getByRole('heading', { level: 1, name: /^Sample: / }).waitFor()
    const [sample] = (await app.client.listSessions()).items
    expect(sample?.compactionCount).toBe(0)
    await page.getByText('Past the threshold: the next message usually starts a compaction.').first().waitFor()
    const field = page.getByRole('textbox', { name: 'Message' })
    await expect.poll(async () => field.inputValue()).toBe('What is the rule about mail?')
    expect(await page.evaluate('document.activeElement.selectionStart')).toBe('What is the rule about mail?'.length)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Context compacted · [\d.]+k → [\d.]+k tokens$/ }).waitFor()
    await page.getByText('Ready for your message.').waitFor({ state: 'attached' })
    const conversation = page.getByRole('region', { name: 'Conversation' })
    expect(await conversation.getByRole('article').last().getAttribute('aria-label')).toBe('Answer')
    expect(await conversation.getByRole('article').last().innerText()).toContain('never send mail to real members')
    expect((await app.client.getSession(sample?.id ?? '')).compactionCount).toBe(1)
  })

  it('a chat begins with its first words, and gets a name', async () => {
    const app = await startWebApp()
    const page = await app.open(browser())
    await page.getByRole('textbox', { name: 'Message' }).fill('Remember that our release is called Harbour.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('article', { name: 'Answer' }).last().waitFor()
    const chats = page.getByRole('navigation', { name: 'Chats' })
    await chats
      .locator('a[aria-current=page]')
      .getByText(/release/i)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Hide this notice' }).click()
    await page.reload()
    await page.getByText('called Harbour').first().waitFor()
    expect(await page.getByRole('article', { name: 'You said' }).count()).toBe(1)
    expect(await page.getByText('Offline model.').count()).toBe(0)
    expect((await app.client.listSessions()).items).toHaveLength(1)
  })

  it('loads at most 250 KB of compressed script before anything is done', async () => {
    const app = await startWebApp()
    const page = await app.open(browser(), { route: '/nowhere' })
    const scripts: Promise<number>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return
      expect(response.headers()['content-encoding']).toMatch(/^(?:br|gzip)$/)
      scripts.push(response.body().then((body) => gzipSync(body).length))
    })
    await page.reload({ waitUntil: 'networkidle' })
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    const bytes = (await Promise.all(scripts)).reduce((sum, each) => sum + each, 0)
    expect(bytes).toBeGreaterThan(KILOBYTE)
    expect(bytes).toBeLessThanOrEqual(MOST_SCRIPT_BYTES)
  })
})
