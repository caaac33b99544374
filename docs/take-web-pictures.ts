// npx node docs/take-web-pictures.ts: runs the server on the offline model and photographs its pages into docs/images.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@longhaul/protocol'
import { createRuntime, loadConfig } from '@longhaul/runtime'
import { buildWeb, startServer } from '@longhaul/server'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../test/browser/launch-chromium.ts'

/** As sharp as a picture of less than half a megabyte can be. */
const DESK = { viewport: { width: 1360, height: 860 }, deviceScaleFactor: 1.5 }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }
const OTHER_CHATS = ['Trip to the lakes', 'Reading list for spring', 'Tax return 2025']
/** The first one makes the sample compact. */
const QUESTIONS = ['What is the rule about mail?', 'What does the server cost a month?']
/** Long enough that some of them fill it again. */
const NOTES = Array.from({ length: 18 }, (_, index) => writeNote(index + 1))

if (import.meta.main) {
  const browser = await launchChromium()
  try {
    await takeWebPictures(browser, join(import.meta.dirname, 'images'))
  } finally {
    await browser.close()
  }
}

/** Puts them into this folder. */
export async function takeWebPictures(browser: Browser, images: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-pictures-'))
  const config = await loadConfig({
    environment: { LONGHAUL_DATA: folder, PATH: process.env['PATH'] },
    homeFolder: folder,
    readFile: () => Promise.resolve('{}'),
  })
  const server = await startServer({
    runtime: (parts) => createRuntime(config, parts),
    port: 0,
    webFolder: await buildWeb({ note: () => undefined }),
    graceMs: 0,
  })
  try {
    const id = await prepareChats(server.url)
    const address = `${server.url}/#/s/${id}`
    await takeChat(browser, address, images)
    for (const line of [...NOTES, ...QUESTIONS.slice(0, 1)]) await say(server.url, id, line)
    await takeTimeline(browser, address, images)
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The sample after a compaction, beside some other chats; its id. */
async function prepareChats(url: string): Promise<string> {
  const client = createClient({ baseUrl: url })
  for (const title of OTHER_CHATS) await client.createSession({ title })
  const { id } = await client.createSample()
  for (const question of QUESTIONS) await say(url, id, question)
  return id
}

/** Resolves when everything that follows the answer is done too. */
async function say(url: string, sessionId: string, text: string): Promise<void> {
  const response = await fetch(`${url}/api/sessions/${sessionId}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ text }),
  })
  await response.text()
}

async function takeChat(browser: Browser, address: string, images: string): Promise<void> {
  const desk = await open(browser, address, { ...DESK, colorScheme: 'light' })
  await desk.getByRole('list', { name: 'Layers of the context window' }).getByText('Reserve').waitFor()
  await take(desk, join(images, 'web-chat.png'))
  await desk.getByRole('tab', { name: 'Compactions' }).click()
  await desk.getByRole('article', { name: 'Compaction 1' }).waitFor()
  await take(desk, join(images, 'web-compaction.png'))
  await desk.close()

  const dark = await open(browser, address, { ...DESK, colorScheme: 'dark' })
  await dark.getByRole('list', { name: 'Layers of the context window' }).getByText('Reserve').waitFor()
  await take(dark, join(images, 'web-dark.png'))
  await dark.close()

  const phone = await open(browser, address, { ...PHONE, colorScheme: 'light' })
  await take(phone, join(images, 'web-phone.png'))
  await phone.close()
}

/** After enough was said to fill the window again. */
async function takeTimeline(browser: Browser, address: string, images: string): Promise<void> {
  const page = await open(browser, address, { ...DESK, colorScheme: 'light' })
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await page
    .getByRole('img', { name: /^Tokens of \d+ requests/ })
    .locator('canvas')
    .waitFor()
  await take(page, join(images, 'web-timeline.png'))
  await page.close()
}

interface Look {
  readonly viewport: { readonly width: number; readonly height: number }
  readonly deviceScaleFactor: number
  readonly colorScheme: 'light' | 'dark'
}

async function open(browser: Browser, address: string, look: Look): Promise<Page> {
  const page = await browser.newPage({ ...look, locale: 'en-GB' })
  await page.goto(address)
  await page.getByRole('button', { name: /^Context \d/ }).waitFor()
  // What draws Markdown comes last; until then, answers stand as they were written.
  await page.getByRole('article', { name: 'Answer' }).last().locator('blockquote').first().waitFor()
  await page.locator('article > div > p.whitespace-pre-wrap').first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Hide this notice' }).click()
  return page
}

async function take(page: Page, path: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate('document.activeElement.blur()')
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
}

function writeNote(week: number): string {
  const boats = ['Wappen von Vellmar', 'Fulda', 'Ahne', 'Habichtswald', 'Reinhard']
  const days = Array.from({ length: 20 + (week % 3) * 12 }, (_, day) => {
    const boat = boats[(day + week) % boats.length]
    return `On day ${day + 1} "${boat}" was out for ${60 + ((day * 7 + week) % 45)} minutes and came back dry.`
  })
  return `Notes of week ${week}. ${days.join(' ')}`
}
