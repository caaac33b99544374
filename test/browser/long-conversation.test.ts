import { expect, it } from 'vitest'
import { describeWithBrowser } from './describe-with-browser.ts'
import { scrollUpTo } from './scroll-up-to.ts'
import { startWebApp } from './start-web-app.ts'

const MESSAGES = 10_000

describeWithBrowser('a very long conversation', (browser) => {
  it('of ten thousand messages only those in sight are in the page, from the newest to the first', async () => {
    const app = await startWebApp()
    const lines = Array.from({ length: MESSAGES }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Line ${index + 1}. ${'Some more words. '.repeat(index % 20)}`,
    }))
    const { session } = await app.client.importSession(JSON.stringify(lines))
    const page = await app.open(browser(), { route: `/s/${session.id}` })
    const chat = page.getByRole('region', { name: 'Conversation' })
    await chat.getByText(`Line ${MESSAGES}.`).waitFor()
    const countArticles = async (): Promise<void> => expect(await chat.getByRole('article').count()).toBeLessThan(60)
    await countArticles()
    await scrollUpTo(chat, 'Line 1. ', countArticles)
    await page.getByRole('button', { name: 'Jump to newest' }).click()
    await chat.getByText(`Line ${MESSAGES}.`).waitFor()
    await countArticles()
    expect(await page.locator('*').count()).toBeLessThan(3_000)
  })
})
