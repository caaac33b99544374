import { expect, it } from 'vitest'
import { describeWithBrowser } from './describe-with-browser.ts'
import { findViolations } from './find-violations.ts'
import { lastAsked, purposeOf } from './read-request.ts'
import { startWebApp } from './start-web-app.ts'

const CODE = `/** How many, at "most" & <least>. */
export const most = (boats: Boat[]): number => boats.length * 1.5 // rounded

class Boat { name = 'Falke' }`

/** Every kind of colour there is. */
const SAMPLES = [
  `\`\`\`ts\n${CODE}\n\`\`\``,
  '```diff\n- return at\n+ return at + 90\n```',
  '```python\n@cached\ndef label(self) -> str:\n    return f"{self.name}" if True else None\n```',
  '```html\n<p class="note">&amp;</p>\n```',
  '```css\n#a > .b { color: red }\n```',
  '```md\n# Title\n\n- **bold** [link](https://example.org)\n```',
  '```sh\necho "$HOME" | grep -v x\n```',
  '```\nno language, no colour\n```',
]

const KEYWORD = '.hljs-keyword'

describeWithBrowser('code in an answer', (browser) => {
  it('stands plain while it is written, takes its colours once it is there, and is copied as it is', async () => {
    const app = await startWebApp({
      script: (request) => {
        if (purposeOf(request) !== 'answer') return 'Named'
        const whole = `Here:\n\n\`\`\`ts\n${CODE}\n\`\`\`\n\nDone.`
        const half = whole.slice(0, whole.indexOf('boats.length'))
        return lastAsked(request) === 'Half of it'
          ? { text: [half], breaksOff: { afterPieces: 1, how: 'hang' } }
          : whole
      },
    })
    const { id } = await app.client.createSession({ title: 'Named' })
    const page = await app.open(browser(), { route: `/s/${id}` })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.fill('Half of it')
    await field.press('Enter')
    await page.getByText('export const most').waitFor()
    expect(await page.locator(KEYWORD).count()).toBe(0)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped.').waitFor()

    await field.fill('All of it')
    await field.press('Enter')
    const answer = page.getByRole('article', { name: 'Answer' }).last()
    await answer.getByText('Done.').waitFor()
    await answer.locator(KEYWORD, { hasText: 'class' }).waitFor()
    const lines = await answer.locator('code > span').allTextContents()
    expect(lines.map((line) => line.trimEnd()).join('\n')).toBe(CODE)
    await answer.getByRole('button', { name: 'Copy Code' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(`${CODE}\n`)
  })

  it('can be read by everybody, in light and dark', async () => {
    const app = await startWebApp()
    const said = [
      { role: 'user', content: 'Show me' },
      { role: 'assistant', content: SAMPLES.join('\n\n') },
    ]
    const { session } = await app.client.importSession(JSON.stringify(said))
    for (const theme of ['light', 'dark'] as const) {
      const page = await app.open(browser(), { route: `/s/${session.id}`, height: 1_600, theme })
      await page.locator(KEYWORD).first().waitFor()
      expect(await page.locator('code [class^=hljs-]').count()).toBeGreaterThan(30)
      expect(await findViolations(page)).toEqual([])
    }
  })

  it('of a book of code only the beginning is drawn, until somebody wants all of it', async () => {
    const app = await startWebApp()
    const line = 'export const boat = "Falke" // and so on'
    const book = `\`\`\`ts\n${Array.from({ length: 4_000 }, () => line).join('\n')}\n\`\`\``
    const said = [
      { role: 'user', content: 'All of it' },
      { role: 'assistant', content: book },
    ]
    const { session } = await app.client.importSession(JSON.stringify(said))
    const page = await app.open(browser(), { route: `/s/${session.id}` })
    const rest = page.getByRole('button', { name: `Show all ${book.length.toLocaleString('en')} characters` })
    await rest.waitFor()
    await page.locator('[data-streamdown=code-block]').waitFor()
    const countLines = (): Promise<number> => page.locator('code > span').count()
    await expect.poll(countLines).toBeGreaterThan(2_000)
    expect(await countLines()).toBeLessThan(3_000)
    await rest.click()
    await expect.poll(countLines).toBe(4_000)
  })
})
