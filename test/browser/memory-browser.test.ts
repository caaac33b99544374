import { expect, it } from 'vitest'
import { describeWithBrowser } from './describe-with-browser.ts'
import { findViolations } from './find-violations.ts'
import { startWebApp } from './start-web-app.ts'

describeWithBrowser('the memory', (browser) => {
  it('OPEN-10 is read by file and found by words, down to the line', async () => {
    const app = await startWebApp()
    const { id } = await app.client.createSample()
    await app.say(id, 'Which boats does the club have?')
    const page = await app.open(browser(), { route: '/memory' })
    await page.getByRole('list', { name: 'Memory files' }).getByRole('button').first().waitFor()
    const [hit] = (await app.client.searchMemory('test system')).items
    await page.getByLabel('Search the memory').fill('test system')
    const notes = page.getByRole('list', { name: 'Notes found' })
    await notes
      .getByRole('button', { name: `line ${hit?.line}` })
      .first()
      .click()
    const line = page.locator('[aria-current=location]')
    await line.waitFor()
    expect(await line.innerText()).toContain(hit?.text.slice(0, 30))
    expect(await findViolations(page)).toEqual([])
  })
})
