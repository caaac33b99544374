import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startWireServer } from '@longhaul/models/testing'
import { createClient } from '@longhaul/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { createFolder } from '../../packages/server/src/testing/start-app.ts'
import { describeWithBrowser } from './describe-with-browser.ts'
import { openPage } from './open-page.ts'
import { lastAsked, purposeOf } from './read-request.ts'
import { startWebApp } from './start-web-app.ts'

const PROGRAM = join(import.meta.dirname, '../../packages/cli/bin/longhaul.js')

describeWithBrowser('a page and its server', (browser) => {
  /** The real program; resolves when it can be reached. */
  async function serve(folder: string, port: string) {
    const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', port], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'], HOME: folder, LONGHAUL_DATA: folder },
    })
    const gone = once(child, 'close')
    async function kill(): Promise<void> {
      child.kill('SIGKILL')
      await gone
    }
    onTestFinished(kill)
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    return { url: line.replace('Longhaul is ready at ', ''), kill }
  }

  it('a server that is killed in the middle of an answer and started again: all is answered, nothing twice', async () => {
    const folder = await createFolder()
    let isWhole = false
    const model = await startWireServer({
      otherwise: ({ body }) => {
        if (body['tools'] === undefined) return { text: 'The beds' }
        return isWhole
          ? { text: 'Bed four is dry.' }
          : { text: ['I am going through', ' all beds'], breaksOff: { afterPieces: 2, how: 'stall' } }
      },
    })
    onTestFinished(() => model.close())
    const models = { gardener: { contextWindow: 32_768, maxOutput: 4_096 } }
    const config = {
      providers: { local: { type: 'openai-compatible', baseURL: model.baseURL, models } },
      agents: { defaults: { model: 'local/gardener' } },
    }
    await writeFile(join(folder, 'config.json5'), JSON.stringify(config))

    const first = await serve(folder, '0')
    const page = await openPage(browser(), first.url)
    const chat = page.getByRole('region', { name: 'Conversation' })
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.fill('How are the beds?')
    await field.press('Enter')
    await chat.getByText('I am going through all beds').waitFor()
    await first.kill()
    const lost = page.getByText('The connection is lost. Trying again…')
    await lost.waitFor()
    await field.fill('And the shed?')
    await field.press('Enter')
    await chat.getByText('Not sent: The server cannot be reached.').waitFor()

    isWhole = true
    await serve(folder, new URL(first.url).port)
    await chat.getByText('Bed four is dry.').waitFor()
    await lost.waitFor({ state: 'detached' })
    await chat.getByRole('button', { name: 'Send again' }).click()
    await chat.getByText('Bed four is dry.').nth(1).waitFor()
    await page.getByText('Ready for your message.').waitFor({ state: 'attached' })
    const asked = ['How are the beds?', 'And the shed?']
    expect(await chat.getByRole('article', { name: 'You said' }).allInnerTexts()).toEqual(asked)
    const [session] = (await createClient({ baseUrl: first.url }).listSessions()).items
    const { items } = await createClient({ baseUrl: first.url }).listMessages(session?.id ?? '')
    const said = items.filter(({ role }) => role === 'user').flatMap(({ parts }) => parts)
    expect(said).toEqual(asked.map((text) => ({ type: 'text', text })))
    const shown = await chat.getByRole('article').allInnerTexts()
    await page.reload()
    await chat.getByText('Bed four is dry.').nth(1).waitFor()
    expect(await chat.getByRole('article').allInnerTexts()).toEqual(shown)
  })

  it('two tabs on one chat see the same, each word as it comes', async () => {
    const rest = Promise.withResolvers<void>()
    const app = await startWebApp({
      script: async (request) => {
        if (purposeOf(request) !== 'answer') return 'Boats'
        if (lastAsked(request) === 'Second question') await rest.promise
        return `You asked: ${lastAsked(request)}`
      },
    })
    const { id } = await app.client.createSession()
    const pages = [await app.open(browser(), { route: `/s/${id}` }), await app.open(browser(), { route: `/s/${id}` })]
    for (const [index, words] of ['First question', 'Second question'].entries()) {
      const field = pages[index]?.getByRole('textbox', { name: 'Message' })
      await field?.fill(words)
      await field?.press('Enter')
      for (const page of pages) await page.getByRole('article', { name: 'You said' }).getByText(words).waitFor()
    }
    for (const page of pages) await page.getByRole('button', { name: 'Stop' }).waitFor()
    rest.resolve()
    const expected = ['First question', 'You asked: First question', 'Second question', 'You asked: Second question']
    for (const page of pages) {
      await page.getByText('Ready for your message.').waitFor({ state: 'attached' })
      const texts = await page.getByRole('article').allInnerTexts()
      expect(texts.map((text) => text.split('\n')[0])).toEqual(expected)
      await page.getByRole('heading', { level: 1, name: 'Boats' }).waitFor()
    }
  })

  it('a server with a token asks for it, refuses another, and works with the right one until the tab is closed', async () => {
    const app = await startWebApp({ token: 'correct-horse' })
    await app.client.createSession({ title: 'Behind the door' })
    const page = await app.open(browser())
    await page.getByRole('heading', { name: 'This server asks for a token' }).waitFor()
    expect(await page.getByText('Behind the door').count()).toBe(0)
    await page.getByLabel('Token').fill('wrong-horse')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('That token is not the right one.').waitFor()
    await page.getByLabel('Token').fill('correct-horse')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('link', { name: /^Behind the door/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Behind the door' }).waitFor()
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.fill('Hello')
    await field.press('Enter')
    await page.getByRole('article', { name: 'Answer' }).waitFor()
    await page.reload()
    await page.getByRole('article', { name: 'Answer' }).waitFor()
    expect(await page.getByRole('heading', { name: 'This server asks for a token' }).count()).toBe(0)
  })
})
