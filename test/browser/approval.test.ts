import type { Script } from '@longhaul/models/testing'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeWithBrowser } from './describe-with-browser.ts'
import { hasToolAnswered, lastAsked, purposeOf } from './read-request.ts'
import { startWebApp } from './start-web-app.ts'

const runsWhatIsSaid: Script = (request) => {
  if (purposeOf(request) !== 'answer') return 'Named'
  if (hasToolAnswered(request)) return `That was ${lastAsked(request)}.`
  return { toolCalls: [{ name: 'run_command', input: { command: lastAsked(request) } }] }
}

const WHY = 'This page cannot allow it, because it was not opened from the address that Longhaul printed.'

describeWithBrowser('the right to allow a tool call', (browser) => {
  async function open(wishes: { readonly isPlain: boolean }) {
    const app = await startWebApp({ script: runsWhatIsSaid })
    const { id } = await app.client.createSession({ title: 'Named' })
    const page = await app.open(browser(), { route: `/s/${id}`, ...wishes })
    return { app, id, page }
  }

  async function say(page: Page, text: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await page.keyboard.press('Enter')
  }

  const allow = (page: Page) => page.getByRole('button', { name: 'Allow', exact: true })

  it('18.1 comes with the one-time address: in its tab, after a reload and in a second tab', async () => {
    const { app, id, page } = await open({ isPlain: false })
    // The address that a history or a referrer would tell holds no code.
    expect(page.url()).toBe(`${app.url}/#/s/${id}`)
    await say(page, 'echo one')
    await allow(page).click()
    await page.getByText('That was echo one.').filter({ visible: true }).first().waitFor()
    await page.reload()
    await say(page, 'echo two')
    await allow(page).click()
    await page.getByText('That was echo two.').filter({ visible: true }).first().waitFor()
    const second = await page.context().newPage()
    await second.goto(`${app.url}/#/s/${id}`)
    await say(second, 'echo three')
    await allow(second).click()
    await second.getByText('That was echo three.').filter({ visible: true }).first().waitFor()
    expect(await second.evaluate('document.cookie')).toBe('')
  })

  it('18.1 a page opened plainly cannot allow, says why, can deny, and can once its browser opened the address', async () => {
    const { app, page } = await open({ isPlain: true })
    await say(page, 'echo never')
    await page.getByText(WHY).waitFor()
    expect(await allow(page).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('button', { name: /^run_command echo never failed$/ }).waitFor()
    await say(page, 'echo later')
    await page.getByText(WHY).waitFor()
    const second = await page.context().newPage()
    await second.goto(app.createOpeningAddress() ?? '')
    await page.evaluate("dispatchEvent(new Event('focus'))")
    await allow(page).click()
    await page.getByText('That was echo later.').filter({ visible: true }).first().waitFor()
  })
})
