import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeWithBrowser } from './describe-with-browser.ts'
import { findViolations } from './find-violations.ts'
import { hasToolAnswered, purposeOf } from './read-request.ts'
import { startWebApp } from './start-web-app.ts'

const PHONE = { width: 390, height: 844 }

/** What has the focus, by the name it goes by. */
const FOCUS = `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()`

/** Of the page's ground, from 0 to 255. */
const BRIGHTNESS = `(() => {
  const brush = document.createElement('canvas').getContext('2d')
  brush.fillStyle = getComputedStyle(document.body).backgroundColor
  brush.fillRect(0, 0, 1, 1)
  const [red, green, blue] = brush.getImageData(0, 0, 1, 1).data
  return Math.round((red + green + blue) / 3)
})()`

/** As one reads: the list of chats from top to bottom, then the page. */
const BEFORE_THE_FIELD = [
  'Longhaul',
  'New chat',
  'Search chats',
  'Another chat',
  'More for Another chat',
  'Beds and sheds',
  'More for Beds and sheds',
  'Memory',
  'Import a conversation',
  'Theme',
  'Load a long sample conversation',
  'Remember that our release is called Harbour and ships on 3 March.',
  'What do you remember from earlier chats?',
  '/help',
]

describeWithBrowser('the app is for everybody', (browser) => {
  /** One chat with a call that waits to be allowed, one that is named and empty. */
  async function startWithChats() {
    const app = await startWebApp({
      script: (request) => {
        if (purposeOf(request) !== 'answer') return 'Beds'
        if (hasToolAnswered(request)) return '## Done\n\n- `one`\n- **two**\n\n```js\nconst beds = 4\n```'
        return { reasoning: 'I look first.', toolCalls: [{ name: 'run_command', input: { command: 'echo beds' } }] }
      },
    })
    const { id } = await app.client.createSession({ title: 'Beds and sheds' })
    await app.client.createSession({ title: 'Another chat' })
    return { app, id }
  }

  const findOverflow = (page: Page): Promise<number> =>
    page.evaluate('document.documentElement.scrollWidth - innerWidth')

  it('nothing on a desk is hard to use: chat, approval, list of chats, menus, dialogs', async () => {
    const { app, id } = await startWithChats()
    const page = await app.open(browser())
    await page.getByRole('link', { name: /^Beds and sheds/ }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.goto(`${app.url}/#/s/${id}`)
    await page.getByRole('textbox', { name: 'Message' }).fill('What is left?')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Allow run_command?' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    await page.getByRole('button', { name: /^run_command/ }).click()
    await page.getByRole('textbox', { name: 'Message' }).fill('/')
    await page.getByRole('listbox', { name: 'Commands' }).waitFor()
    expect(await findViolations(page)).toEqual([])

    await page.getByRole('button', { name: 'More for Another chat' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    expect(await findViolations(page, '[role=menu]')).toEqual([])
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const title = page.getByRole('dialog').getByLabel('Title')
    await title.fill('Sheds')
    expect(await findViolations(page)).toEqual([])
    await title.press('Enter')
    await page.getByRole('button', { name: 'More for Sheds' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete this chat?' })
    await question.waitFor()
    expect(await findViolations(page)).toEqual([])
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: /^Sheds/ }).waitFor({ state: 'detached' })
  })

  it('fits a phone: chats and context slide in, and nothing is wider than the screen', async () => {
    const { app } = await startWithChats()
    const page = await app.open(browser(), PHONE)
    await page.getByRole('button', { name: 'Load a long sample conversation' }).waitFor()
    expect(await findOverflow(page)).toBeLessThanOrEqual(0)
    await page.getByRole('button', { name: 'Chats', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Chats' })
    await drawer.getByRole('link', { name: /^Beds and sheds/ }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await drawer.getByRole('link', { name: /^Beds and sheds/ }).click()
    await drawer.waitFor({ state: 'detached' })

    await page.getByRole('textbox', { name: 'Message' }).fill('What is left?')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    expect(await findOverflow(page)).toBeLessThanOrEqual(0)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Show the context' }).click()
    await page.getByRole('dialog', { name: 'Context' }).getByRole('tab', { name: 'Window' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('is dark where the system is, and whatever its user chooses stays', async () => {
    const { app, id } = await startWithChats()
    const page = await app.open(browser(), { theme: 'dark', route: `/s/${id}` })
    const findBrightness = (): Promise<number> => page.evaluate(BRIGHTNESS)
    await page.getByRole('heading', { level: 1, name: 'Beds and sheds' }).waitFor()
    expect(await findBrightness()).toBeLessThan(60)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('menuitem', { name: 'Light' }).click()
    await expect.poll(findBrightness).toBeGreaterThan(200)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Beds and sheds' }).waitFor()
    expect(await findBrightness()).toBeGreaterThan(200)
  })

  it('needs no mouse: tab order, Enter and Escape, and the focus comes back', async () => {
    const { app } = await startWithChats()
    const page = await app.open(browser())
    const findFocus = (): Promise<string> => page.evaluate(FOCUS)
    await page.getByRole('link', { name: /^Beds and sheds/ }).waitFor()
    expect(await findFocus()).toBe('Message')
    const before: string[] = []
    for (let stop = 0; stop < BEFORE_THE_FIELD.length; stop += 1) {
      await page.keyboard.press('Shift+Tab')
      before.unshift((await findFocus()).replace(/\d\d:\d\d$/, ''))
    }
    expect(before).toEqual(BEFORE_THE_FIELD)
    await page.getByRole('link', { name: /^Beds and sheds/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Beds and sheds' }).waitFor()
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await page.keyboard.type('What is left?')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Allow' }).focus()
    await page.keyboard.press('Tab')
    expect(await findFocus()).toBe('Deny')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    await page.getByRole('button', { name: 'Settings of this chat' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Settings of this chat' })
    await dialog.waitFor()
    for (let stop = 0; stop < 12; stop += 1) {
      await page.keyboard.press('Tab')
      expect(await dialog.evaluate((element) => element.contains(element.ownerDocument.activeElement))).toBe(true)
    }
    // Where a tooltip shows, the first Escape closes that.
    await dialog.getByRole('radio').first().focus()
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // The dialog gives the focus back once it has gone.
    await expect.poll(findFocus).toBe('Settings of this chat')
  })
})
