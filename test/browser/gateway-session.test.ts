import { expect, it } from 'vitest'
import { bodyOf, longTalk, startUpstream } from '../gateway/start-upstream.ts'
import type { ClientMessage } from '../gateway/start-upstream.ts'
import { describeWithBrowser } from './describe-with-browser.ts'
import { findViolations } from './find-violations.ts'
import { startWebApp } from './start-web-app.ts'

const NOTICE = 'This conversation is kept by claude-code. Longhaul shows it; you write to it there.'
const WAITS = 'The undo will be applied at claude-code’s next call.'

describeWithBrowser('a conversation that came through the gateway', (browser) => {
  /** The app, and a client that speaks through it as Claude Code does; a compaction by hand has come. */
  async function start() {
    const upstream = await startUpstream()
    const models = { 'anthropic/some-model': { contextWindow: 32_000 } }
    const source = JSON.stringify({ gateway: { upstreams: { anthropic: upstream.url } }, models })
    const app = await startWebApp({ source })
    const talk = longTalk(60)
    let turns = 12
    const say = async (): Promise<Response> => {
      const messages: readonly ClientMessage[] = talk.slice(0, turns * 2 + 1)
      turns += 1
      const headers = { 'content-type': 'application/json', 'x-claude-code-session-id': 'garden', 'x-api-key': 'k' }
      const url = `${app.url}/gateway/anthropic/v1/messages`
      const answer = await fetch(url, { method: 'POST', headers, body: bodyOf(messages) })
      await answer.text()
      return answer
    }
    const id = 'claude-code-garden'
    await say()
    // A wish: it is carried out at the next call, and its summary is there for the one after.
    const asked = await fetch(`${app.url}/api/sessions/${id}/compact`, { method: 'POST' })
    expect(asked.status).toBe(202)
    await say()
    await expect.poll(async () => (await app.client.listCompactions(id)).items.length, { timeout: 15_000 }).toBe(1)
    const edited = await say()
    expect(edited.headers.get('x-longhaul-view')).toBe('edited')
    return { app, say, id, upstream }
  }

  it('is listed with its origin, with context, timeline and what the model saw; an undo waits for the next call', async () => {
    const { app, say, id } = await start()
    const page = await app.open(browser(), { route: `/s/${id}` })
    await page.getByText(NOTICE).waitFor()
    expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0)
    const items = page.getByRole('navigation', { name: 'Chats' }).getByRole('listitem')
    await items.filter({ hasText: 'kept by claude-code' }).waitFor()
    const chat = page.getByRole('region', { name: 'Conversation' })
    await chat
      .getByText(/^Bed \d+:/)
      .first()
      .waitFor()

    const { items: requests } = await app.client.listRequests(id)
    expect(requests.length).toBeGreaterThan(1)
    await chat
      .getByRole('button', { name: /^Context compacted · / })
      .last()
      .click()
    const card = page.getByRole('article', { name: /^Compaction \d+$/ }).first()
    await card.getByRole('button', { name: 'Undo' }).click()
    await card.getByText(WAITS).waitFor()
    expect(await findViolations(page)).toEqual([])
    expect((await say()).status).toBe(200)
    await card.getByText('↩ Undone').waitFor()
    expect(await card.getByText(WAITS).count()).toBe(0)

    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('tab', { name: 'Pins' }).click()
    await page.getByRole('textbox', { name: 'New pin' }).fill('No slugs')
    await page.getByRole('button', { name: 'Pin it' }).click()
    await page.getByText('The change will be applied at claude-code’s next call.').waitFor()
    await say()
    await page.getByRole('list', { name: 'Pinned texts' }).getByText('No slugs').waitFor()
  })
})
