import { createHttpError } from '@longhaul/models/testing'
import type { Script } from '@longhaul/models/testing'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeWithBrowser } from './describe-with-browser.ts'
import { hasToolAnswered, lastAsked, purposeOf } from './read-request.ts'
import { startWebApp } from './start-web-app.ts'
import type { WebAppWishes } from './start-web-app.ts'

/** The smallest picture there is: one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describeWithBrowser('a chat', (browser) => {
  /** An empty chat with this model. */
  async function openChat(script: Script, wishes: WebAppWishes = {}) {
    const app = await startWebApp({ script, ...wishes })
    const { id } = await app.client.createSession({ title: 'Named' })
    const page = await app.open(browser(), { route: `/s/${id}` })
    const field = page.getByRole('textbox', { name: 'Message' })
    return { app, id, page, field, chat: page.getByRole('region', { name: 'Conversation' }) }
  }

  async function say(page: Page, text: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await page.keyboard.press('Enter')
  }

  /** Answers anything but a greeting. */
  const refuseHello: Script = (request) => {
    if (purposeOf(request) !== 'answer') return 'Named'
    return lastAsked(request) === 'Hello'
      ? { fails: createHttpError({ status: 401, message: 'invalid x-api-key' }) }
      : 'Here I am.'
  }

  const runsWhatIsSaid: Script = (request) => {
    if (purposeOf(request) !== 'answer') return 'Named'
    if (hasToolAnswered(request)) return `That was ${lastAsked(request)}.`
    return { text: 'I run it.', toolCalls: [{ name: 'run_command', input: { command: lastAsked(request) } }] }
  }

  it('LH-02 asks before a command runs; once allowed, its whole output can be opened', async () => {
    const { page, chat } = await openChat(runsWhatIsSaid)
    await say(page, 'seq 1 20000')
    const question = page.getByRole('region', { name: 'Allow run_command?' })
    await question.getByText('command: seq 1 20000').waitFor()
    await question.getByRole('button', { name: 'Allow' }).click()
    await chat.getByText('That was seq 1 20000.').waitFor()
    expect(await question.count()).toBe(0)

    await page.getByRole('button', { name: /^run_command seq 1 20000 done$/ }).click()
    await page.getByText('Output, shortened').waitFor()
    await page.getByRole('button', { name: 'Open in full' }).click()
    const whole = page.getByRole('dialog', { name: 'The whole output' })
    const printed = `${Array.from({ length: 20_000 }, (_, index) => index + 1).join('\n')}\n[exit code 0]`
    await whole.getByText(`${printed.length.toLocaleString('en')} characters`).waitFor()
    expect(await whole.locator('pre').textContent()).toBe(printed)
    await page.keyboard.press('Escape')
    await whole.waitFor({ state: 'detached' })
  })

  it('a command that is denied does not run, and the model hears of it', async () => {
    const { app, id, page, chat } = await openChat(runsWhatIsSaid)
    await say(page, 'echo never')
    await page.getByRole('button', { name: 'Deny' }).click()
    await chat.getByText('That was echo never.').waitFor()
    await page.getByRole('button', { name: /^run_command echo never failed$/ }).waitFor()
    const { items } = await app.client.listMessages(id)
    expect(items.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(items[2]?.parts).toEqual([expect.objectContaining({ type: 'tool-result', isError: true })])
  })

  it('an answer is stopped where it is, and the next message is answered', async () => {
    const { page, chat } = await openChat((request) => {
      if (purposeOf(request) !== 'answer') return 'Named'
      const isLong = lastAsked(request) === 'Tell me all'
      return isLong
        ? { text: ['It begins ', 'and does not end'], breaksOff: { afterPieces: 2, how: 'hang' } }
        : 'Here is the short version.'
    })
    await say(page, 'Tell me all')
    await chat.getByText('It begins and does not end').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await chat.getByText('Stopped.').waitFor()
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    await say(page, 'Shorter, please')
    await chat.getByText('Here is the short version.').waitFor()
    expect(await chat.getByText('It begins and does not end').count()).toBe(1)
  })

  it('where no answer comes, says what happened, in whose words, and what to do', async () => {
    const { page, chat } = await openChat(refuseHello)
    await say(page, 'Hello')
    const words = await chat.getByRole('alert').innerText()
    expect(words).toContain('The provider did not accept the API key.')
    expect(words).toContain('It said: invalid x-api-key')
    expect(words).toContain('Check the key where Longhaul runs')
    await say(page, 'And now?')
    await chat.getByText('Here I am.').waitFor()
    expect(await chat.getByText('It said: invalid x-api-key').count()).toBe(1)
  })

  it('an answer that failed had lost its reason after a reload: it is still told, and interrupts nobody', async () => {
    const { page, chat } = await openChat(refuseHello)
    await say(page, 'Hello')
    const words = await chat.getByRole('alert').innerText()
    await say(page, 'And now?')
    await chat.getByText('Here I am.').waitFor()
    await page.reload()
    await chat.getByText('It said: invalid x-api-key').waitFor()
    expect(await chat.getByRole('note').innerText()).toBe(words)
    expect(await chat.getByRole('alert').count()).toBe(0)
  })

  it('a slash offers the commands: keys choose, complete, run and close', async () => {
    const { page, field } = await openChat(() => 'Fine.')
    const offers = page.getByRole('listbox', { name: 'Commands' })
    await field.pressSequentially('/')
    await expect.poll(() => offers.getByRole('option').count()).toBeGreaterThan(10)
    await field.press('ArrowUp')
    const last = offers.getByRole('option', { selected: true })
    await expect
      .poll(() =>
        last.evaluate((option) => {
          const list = option.parentElement.getBoundingClientRect()
          const { top, bottom } = option.getBoundingClientRect()
          return top >= list.top && bottom <= list.bottom
        }),
      )
      .toBe(true)
    await field.press('Escape')
    await offers.waitFor({ state: 'detached' })
    await field.pressSequentially('st')
    const status = offers.getByRole('option', { name: /^\/status/, selected: true })
    expect(await status.getAttribute('id')).toBe(await field.getAttribute('aria-activedescendant'))
    await field.press('Enter')
    await page.getByRole('region', { name: 'Command /status' }).getByText('scripted/scripted').waitFor()
    expect(await field.inputValue()).toBe('')

    await field.pressSequentially('/pi')
    await field.press('Tab')
    expect(await field.inputValue()).toBe('/pin ')
    await field.pressSequentially('Answer in British English.')
    await field.press('Enter')
    await page.getByText('Pinned: Answer in British English.').waitFor()
    await say(page, '/context')
    await page.getByRole('region', { name: 'Command /context' }).waitFor()
    await say(page, '/compcat')
    const wrong = page.getByRole('region', { name: 'Command /compcat' })
    await wrong.getByText('/compact').waitFor()
    await wrong.getByRole('button', { name: 'Remove this card' }).click()
    await wrong.waitFor({ state: 'detached' })
  })

  it('images go with a message; what is none is refused with a reason', async () => {
    const seen: unknown[] = []
    const { page, chat } = await openChat((request) => {
      if (purposeOf(request) === 'answer') seen.push(...request.prompt.flatMap<unknown>(({ content }) => content))
      return 'A nice picture.'
    })
    const picker = page.locator('input[type=file][accept*="image/png"]')
    await picker.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') })
    await page.getByText('notes.txt is no PNG').first().waitFor()
    await picker.setInputFiles([
      { name: 'one.png', mimeType: 'image/png', buffer: PICTURE },
      { name: 'two.png', mimeType: 'image/png', buffer: PICTURE },
    ])
    await page.getByRole('button', { name: 'Remove image 2' }).click()
    await page.getByRole('img', { name: 'Attached image 1' }).waitFor()
    await say(page, 'What is this?')
    await chat.getByText('A nice picture.').waitFor()
    const shown = page.getByRole('article', { name: 'You said' }).getByRole('img')
    await expect
      .poll(() => shown.evaluateAll((images) => images.map((image) => Reflect.get(image, 'naturalWidth'))))
      .toEqual([1])
    expect(seen).toContainEqual(expect.objectContaining({ type: 'file', mediaType: 'image/png' }))
  })

  it('ONE-09 another model answers from now on; a smaller window is compacted for first', async () => {
    const { app, id, page } = await openChat(
      (request) => (purposeOf(request) === 'answer' ? `Noted. ${'The soil is dry. '.repeat(600)}` : 'Named'),
      { windowTokens: 200_000 },
    )
    for (const bed of [1, 2, 3, 4, 5]) await app.say(id, `Bed ${bed}. ${'It wants water and some shade. '.repeat(700)}`)
    const { compactionCount, tokens } = await app.client.getSession(id)
    expect(compactionCount).toBe(0)
    expect(tokens.context).toBeGreaterThan(32_768)

    await page.getByRole('button', { name: 'Settings of this chat' }).click()
    await page.getByRole('radio', { name: /^offline\/extractive/ }).click()
    await page.getByText('The model is now offline/extractive.').first().waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Offline model.').waitFor()
    await say(page, 'Which beds want water?')
    await page.getByRole('button', { name: /^Context compacted/ }).waitFor()
    await page.getByText('Ready for your message.').waitFor({ state: 'attached' })
    const [latest] = (await app.client.listRequests(id)).items
    expect(latest?.model).toBe('offline/extractive')
    expect((await app.client.listCompactions(id)).items[0]?.reason).toBe('model-switch')
  })
})
