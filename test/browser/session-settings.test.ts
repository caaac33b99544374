import { expect, it, onTestFinished } from 'vitest'
import { describeWithBrowser } from './describe-with-browser.ts'
import { findViolations } from './find-violations.ts'
import { startWebApp } from './start-web-app.ts'
import type { WebAppUnderTest } from './start-web-app.ts'

describeWithBrowser('the settings of a chat', (browser) => {
  async function openSettings(app: WebAppUnderTest) {
    const { id } = await app.client.createSession({})
    const page = await app.open(browser(), { route: `/s/${id}` })
    await page.getByRole('button', { name: 'Settings of this chat' }).click()
    const dialog = page.getByRole('dialog', { name: 'Settings of this chat' })
    await dialog.getByText('Compaction threshold', { exact: true }).waitFor()
    return { id, page, dialog }
  }

  it('ONE-18 change threshold, preset and back, say what changed, and explain models without a key', async () => {
    const app = await startWebApp()
    const { id, page, dialog } = await openSettings(app)
    await dialog.getByLabel('Compaction threshold in percent').fill('50')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('A compaction now starts at 50 % of the window.').first().waitFor()
    const { policy, tokens } = await app.client.getSession(id)
    expect(policy).toMatchObject({ compaction: { triggerRatio: 0.5 } })
    expect((await app.client.getStatus(id)).tokens.threshold).toBe((tokens.window ?? 0) / 2)
    await dialog.getByRole('button', { name: 'Use the threshold of longhaul' }).click()
    await expect
      .poll(async () => (await app.client.getSession(id)).policy)
      .toMatchObject({
        compaction: { triggerRatio: 0.8 },
      })

    await dialog.getByRole('radio', { name: /^oneclaw/ }).click()
    await page.getByText('The preset is now oneclaw.').first().waitFor()
    await dialog.getByRole('radio', { name: /^oneclaw/, checked: true }).waitFor()
    expect((await app.client.getSession(id)).preset).toBe('oneclaw')

    await dialog.getByLabel('Compaction threshold in percent').fill('120')
    await dialog.getByText('Between 20 % and 95 %.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true)
    await dialog.getByText(/^\d+ models that cannot be used yet$/).click()
    await dialog.getByText('Needs a key: set ANTHROPIC_API_KEY').first().waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  it('close with one press of Escape, whatever tooltip or notice is in sight', async () => {
    const { page, dialog } = await openSettings(await startWebApp())
    await dialog.getByRole('button', { name: 'Close' }).hover()
    await page.getByRole('tooltip').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(async () => dialog.count()).toBe(0)

    await page.getByRole('button', { name: 'Settings of this chat' }).click()
    await dialog.getByLabel('Compaction threshold in percent').fill('50')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('A compaction now starts at 50 % of the window.').first().waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(async () => dialog.count()).toBe(0)
  })

  it('a part that cannot be loaded any more offers to reload, and the chat stays', async () => {
    const app = await startWebApp()
    const { id } = await app.client.createSession({})
    const page = await browser().newPage()
    onTestFinished(() => page.close())
    await page.route(/\/session-settings-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }))
    await page.goto(`${app.url}/#/s/${id}`)
    await page.getByRole('button', { name: 'Settings of this chat' }).click()
    const dialog = page.getByRole('dialog', { name: 'Settings of this chat' })
    await dialog.getByText('This part could not be loaded').waitFor()
    expect(await page.getByRole('textbox', { name: 'Message', includeHidden: true }).count()).toBe(1)
    await page.unrouteAll()
    await dialog.getByRole('button', { name: 'Reload' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Settings of this chat' }).click()
    await dialog.getByText('Compaction threshold', { exact: true }).waitFor()
  })
})
