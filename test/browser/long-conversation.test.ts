import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeWithBrowser } from './describe-with-browser.ts'
import { scrollUpTo } from './scroll-up-to.ts'
import { startWebApp } from './start-web-app.ts'

const MESSAGES = 10_000

const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** Wholly between the header and where one writes. */
async function isInSight(text: Locator): Promise<boolean> {
  const page = text.page()
  const [box, list] = await Promise.all([
    text.boundingBox(),
    page.getByRole('region', { name: 'Conversation' }).boundingBox(),
  ])
  return box !== null && list !== null && box.y >= list.y && box.y + box.height <= list.y + list.height
}

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

  it('the end stays in sight when the room for it changes, and only then', async () => {
    const app = await startWebApp()
    const lines = Array.from({ length: 60 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Line ${index + 1}. ${'Some more words. '.repeat(20)}`,
    }))
    const { session } = await app.client.importSession(JSON.stringify(lines))
    const page = await app.open(browser(), { route: `/s/${session.id}` })
    const chat = page.getByRole('region', { name: 'Conversation' })
    const end = chat.getByText('Line 60.')
    const jump = page.getByRole('button', { name: 'Jump to newest' })
    await end.waitFor()
    for (const height of [500, 1_000]) {
      await page.setViewportSize({ width: 1_440, height })
      await expect.poll(() => isInSight(end)).toBe(true)
      await page.evaluate(TWO_FRAMES)
      expect(await jump.count()).toBe(0)
    }
    await page.getByRole('button', { name: 'Hide this notice' }).click()
    await page.evaluate(TWO_FRAMES)
    expect(await jump.count()).toBe(0)
    expect(await isInSight(end)).toBe(true)

    await chat.hover()
    await page.mouse.wheel(0, -1_000)
    await jump.waitFor()
    await page.setViewportSize({ width: 1_440, height: 700 })
    await page.evaluate(TWO_FRAMES)
    expect(await jump.count()).toBe(1)
  })
})
