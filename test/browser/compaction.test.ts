import type { Script, ScriptedReply } from '@longhaul/models/testing'
import { expect, it } from 'vitest'
import { describeWithBrowser } from './describe-with-browser.ts'
import { lastAsked, purposeOf } from './read-request.ts'
import { scrollUpTo } from './scroll-up-to.ts'
import { startWebApp } from './start-web-app.ts'

const SUMMARY = '<summary>\n+ Goal: replace the paper booking sheet of the rowing club\n</summary>'

describeWithBrowser('compaction beside a chat', (browser) => {
  /** The sample, whose next message makes it compact, on a model whose summaries are these. */
  async function openSample(summarise: () => ScriptedReply | Promise<ScriptedReply>) {
    const script: Script = (request) => {
      const purpose = purposeOf(request)
      if (purpose === 'title') return 'Boats'
      return purpose === 'summary' ? summarise() : `You asked: ${lastAsked(request)}`
    }
    const app = await startWebApp({ script })
    const { id } = await app.client.createSample()
    await app.client.changeSession(id, {
      policy: { compaction: { fallback: 'trim-oldest', memoryFlush: { enabled: false } } },
    })
    const page = await app.open(browser(), { route: `/s/${id}` })
    const chat = page.getByRole('region', { name: 'Conversation' })
    await chat.getByRole('article').last().waitFor()
    return { app, id, page, chat, field: page.getByRole('textbox', { name: 'Message' }) }
  }

  it('LH-08 ONE-17 typing goes on while the context is compacted; what is sent is answered meanwhile, in order', async () => {
    const written = Promise.withResolvers<string>()
    const { app, id, page, chat, field } = await openSample(() => written.promise)
    await field.fill('First question')
    await field.press('Enter')
    const notice = page.getByRole('status').getByText('Optimizing conversation context…')
    await notice.waitFor()
    for (const words of ['Second question', 'Third question']) {
      await field.pressSequentially(words)
      await field.press('Enter')
      expect(await field.inputValue()).toBe('')
    }
    await field.pressSequentially('Not sent yet')
    await chat.getByText('You asked: Third question').waitFor()
    expect(await notice.isVisible(), 'the summary is still being made').toBe(true)
    expect((await app.client.getSession(id)).compactionCount).toBe(0)

    written.resolve(SUMMARY)
    await notice.waitFor({ state: 'detached' })
    expect(await chat.getByRole('article', { name: 'Waiting to be answered' }).count()).toBe(0)
    expect(await field.inputValue()).toBe('Not sent yet')
    const said = (await chat.getByRole('article').allInnerTexts()).map((text) => text.split('\n')[0])
    const expected = ['First', 'Second', 'Third'].flatMap((which) => [
      `${which} question`,
      `You asked: ${which} question`,
    ])
    expect(said.slice(-expected.length)).toEqual(expected)
    expect((await app.client.getSession(id)).compactionCount).toBe(1)
  })

  it('ONE-03 ONE-14 ONE-17 a summariser that fails: the history is trimmed, a snackbar says so, all stays readable', async () => {
    const { app, id, page, chat, field } = await openSample(() => ({ fails: new Error('The summariser is down.') }))
    await field.fill('Which boats does the club have?')
    await field.press('Enter')
    const snackbar = page.getByRole('list').filter({ hasText: 'Conversation history has been automatically trimmed' })
    await snackbar.waitFor()
    await chat.getByText('You asked: Which boats').waitFor()
    await snackbar.getByRole('button', { name: 'Dismiss' }).click()
    await snackbar.waitFor({ state: 'detached' })
    expect((await app.client.getSession(id)).compactionCount).toBe(0)
    await scrollUpTo(chat, 'I am the secretary of the Vellmar Rowing Club')
  })

  it('an undo is seen where the compaction was, and the model reads the originals again', async () => {
    const { app, id, page, chat, field } = await openSample(() => SUMMARY)
    const before = (await app.client.getContext(id)).items.length
    await field.fill('Which boats does the club have?')
    await field.press('Enter')
    await chat.getByText('You asked: Which boats').waitFor()
    await chat.getByRole('button', { name: /^Context compacted · / }).click()
    await page.getByRole('tab', { name: 'Compactions' }).click()
    await page.getByRole('article', { name: 'Compaction 1' }).getByRole('button', { name: 'Undo' }).click()
    await chat.getByRole('button', { name: /^Compaction, undone · / }).waitFor()
    await page.getByRole('article', { name: 'Compaction 1' }).getByText('↩ Undone').waitFor()
    const { items } = await app.client.getContext(id)
    expect(items.some(({ kind }) => kind === 'summary')).toBe(false)
    expect(items.length).toBeGreaterThan(before)
  })
})
