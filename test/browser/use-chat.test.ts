import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScriptedModel } from '@longhaul/models/testing'
import type { Script } from '@longhaul/models/testing'
import { createRuntime, loadConfig } from '@longhaul/runtime'
import { startServer } from '@longhaul/server'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeWithBrowser } from './describe-with-browser.ts'

const PAGE = join(import.meta.dirname, 'use-chat-page')

describeWithBrowser('the AI SDK talks to the server', (browser) => {
  let webFolder = ''

  beforeAll(async () => {
    webFolder = await mkdtemp(join(tmpdir(), 'longhaul-use-chat-'))
    await build({ root: PAGE, logLevel: 'error', build: { outDir: webFolder, emptyOutDir: true } })
  })
  afterAll(() => rm(webFolder, { recursive: true, force: true }))

  /** A server with the page on it, and the page. */
  async function open(script: Script, query = ''): Promise<{ readonly page: Page; readonly url: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'longhaul-use-chat-data-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const config = await loadConfig({
      environment: { LONGHAUL_DATA: folder, PATH: process.env['PATH'] },
      homeFolder: folder,
      readFile: () => Promise.resolve('{ agents: { defaults: { model: "scripted/scripted" } } }'),
    })
    const info = { contextWindow: 32_000, maxOutput: 4_096 }
    const models = { extra: { 'scripted/scripted': { model: createScriptedModel(script), info } } }
    const server = await startServer({
      runtime: (parts) => createRuntime(config, { models, ...parts }),
      port: 0,
      webFolder,
      graceMs: 0,
    })
    onTestFinished(() => server.close())
    const page = await browser().newPage()
    onTestFinished(() => page.close())
    await page.goto(`${server.url}/${query}`)
    return { page, url: server.url }
  }

  async function say(page: Page, text: string): Promise<void> {
    await page.getByLabel('message').fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
  }

  const answers = (page: Page) => page.locator('article[data-role=assistant]')
  const waitForStatus = async (page: Page, status: string) =>
    page.locator('#status', { hasText: new RegExp(`^${status}$`) }).waitFor()

  it('useChat sends, streams and shows the answer, the tools and our own events', async () => {
    const { page } = await open((_, index) =>
      index === 0
        ? { text: 'I look.', toolCalls: [{ name: 'list_files', input: { path: '.' } }] }
        : 'Nothing is there.',
    )
    await say(page, 'What is in the folder?')
    await page.getByText('Nothing is there.').waitFor()
    await waitForStatus(page, 'ready')
    expect(await answers(page).locator('p').allTextContents()).toEqual(['I look.', 'Nothing is there.'])
    expect(await page.locator('pre').getAttribute('data-state')).toBe('output-available')
    expect(await page.locator('i[data-part=data-usage]').count()).toBe(2)
    expect(await page.locator('#told').textContent()).toContain('data-message-stored')
    await say(page, 'Thank you')
    await answers(page).nth(1).waitFor()
    await waitForStatus(page, 'ready')
    expect(await page.locator('#error').textContent()).toBe('')
  })

  it('a reload in the middle of an answer goes on with it', async () => {
    const rest = Promise.withResolvers<void>()
    const { page, url } = await open(async () => {
      await rest.promise
      return 'In the evening.'
    })
    await say(page, 'When do I water?')
    await page.locator('#told', { hasText: 'data-message-stored' }).waitFor()
    await page.goto(`${url}/?resume`)
    await waitForStatus(page, 'streaming|submitted')
    rest.resolve()
    await page.getByText('In the evening.').waitFor()
    await waitForStatus(page, 'ready')
    expect(await page.locator('article').count()).toBe(2)
    await page.reload()
    await waitForStatus(page, 'ready')
    expect(await page.locator('#error').textContent()).toBe('')
  })

  it('a failure is shown, and the next message works', async () => {
    const { page } = await open((_, index) => (index === 0 ? { fails: new Error('away') } : 'Here I am.'))
    await say(page, 'Hello?')
    await waitForStatus(page, 'error')
    expect(await page.locator('#error').textContent()).not.toBe('')
    await say(page, 'And now?')
    await page.getByText('Here I am.').waitFor()
  })
})
