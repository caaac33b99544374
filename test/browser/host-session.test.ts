import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createFolder } from '../../packages/server/src/testing/start-app.ts'
import { startHost } from '../host-sessions/start-host.ts'
import { describeWithBrowser } from './describe-with-browser.ts'
import { findViolations } from './find-violations.ts'
import { startWebApp } from './start-web-app.ts'

const NOTICE = 'This conversation is kept by pi. Longhaul shows it; you write to it there.'
const WAITS = 'The undo will be applied at pi’s next call.'

describeWithBrowser('a conversation that a host keeps', (browser) => {
  /** The app and a host in a process of its own, on the same SQLite file. */
  async function start() {
    const folder = await createFolder()
    const app = await startWebApp({ folder })
    const host = startHost({ store: join(folder, 'longhaul.db'), sessionId: 'garden' })
    await host.order({ do: 'talk', turns: 12 })
    await host.order({ do: 'compact' })
    await host.order({ do: 'talk', turns: 1 })
    const open = (wishes: { readonly width?: number; readonly height?: number } = {}): Promise<Page> =>
      app.open(browser(), { route: `/s/${host.id}`, ...wishes })
    return { app, host, open }
  }

  it('is shown with its origin, read only; what the host says appears', async () => {
    const { app, host, open } = await start()
    await app.client.createSession({ title: 'A chat of our own' })
    const page = await open()
    await page.getByText(NOTICE).waitFor()
    expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Settings of this chat' }).count()).toBe(0)
    const items = page.getByRole('navigation', { name: 'Chats' }).getByRole('listitem')
    const item = items.filter({ hasText: 'kept by pi' })
    await item.waitFor()
    expect(await items.count()).toBe(2)
    expect(await item.count()).toBe(1)
    expect(await findViolations(page)).toEqual([])
    await item.hover()
    await item.getByRole('button', { name: /^More for / }).click()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Export', 'Delete'])
    await page.keyboard.press('Escape')

    const chat = page.getByRole('region', { name: 'Conversation' })
    await host.order({ do: 'say', text: 'The frost is near' })
    await chat.getByText('The frost is near').waitFor()
    await host.order({ do: 'branch', back: 2, text: 'No frost at all' })
    await chat.getByText('No frost at all').waitFor()
    expect(await chat.getByText('The frost is near').count()).toBe(0)
  })

  it('shows its context; an undo waits for the host’s next call, and is seen once it was applied', async () => {
    const { host, open } = await start()
    const page = await open()
    const chat = page.getByRole('region', { name: 'Conversation' })
    await chat.getByRole('button', { name: /^Context compacted · / }).click()
    const card = page.getByRole('article', { name: 'Compaction 1' })
    await card.getByText('plant every bed of the garden').waitFor()
    await card.getByRole('button', { name: 'Undo' }).click()
    await card.getByText(WAITS).waitFor()
    expect(await card.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await page.reload()
    await chat.getByRole('button', { name: /^Context compacted · / }).click()
    await card.getByText(WAITS).waitFor()
    expect(await findViolations(page)).toEqual([])

    await host.order({ do: 'say', text: 'Go on' })
    await card.getByText('↩ Undone').waitFor()
    await chat.getByRole('button', { name: /^Compaction, undone · / }).waitFor()
    expect(await card.getByText(WAITS).count()).toBe(0)

    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('tab', { name: 'Pins' }).click()
    await page.getByRole('textbox', { name: 'New pin' }).fill('No slugs')
    await page.getByRole('button', { name: 'Pin it' }).click()
    await page.getByText('The change will be applied at pi’s next call.').waitFor()
    await host.order({ do: 'say', text: 'And on' })
    await page.getByRole('list', { name: 'Pinned texts' }).getByText('No slugs').waitFor()
  })

  it('fits a phone', async () => {
    const { open } = await start()
    const page = await open({ width: 390, height: 844 })
    await page.getByText(NOTICE).waitFor()
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(390)
  })
})
