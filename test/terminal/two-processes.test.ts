import { expect, it } from 'vitest'
import { createDataFolder, describeWithTerminal, openTerminal, serveModel } from './describe-with-terminal.ts'
import { KEYS } from './start-terminal.ts'

describeWithTerminal('a session that another process has open', () => {
  it('is compacted, undone and looked at through its owner, who shows it too', async () => {
    const folder = await createDataFolder()
    let answers = 0
    await serveModel(folder, {
      otherwise: () => ({ text: `${'All beds are dry and need water. '.repeat(60)}\n\nAnswer ${(answers += 1)}.` }),
      summary: { text: 'The beds are dry.' },
    })
    const chat = openTerminal(folder, { arguments: ['chat'] })
    await chat.waitFor('of 32.8k (')
    for (const turn of [1, 2, 3]) {
      chat.type(`Question ${turn}${KEYS.enter}`)
      await chat.waitFor(`Answer ${turn}.`)
    }
    const run = async (...words: readonly string[]): Promise<string> => {
      const terminal = openTerminal(folder, { arguments: words })
      await terminal.ended
      return terminal.everything()
    }
    expect(await run('status', 'last')).toContain('│ compactions  0')
    expect(await run('compact', 'last')).toMatch(/Compacted: [\d,]+ → [\d,]+ tokens/)
    await chat.waitFor(' · 1 compaction · ')
    expect(await run('undo', 'last')).toContain('The last compaction is undone')
    const reply = await run('chat', '--session', 'last', '--message', 'From elsewhere')
    const [last = 'no answer'] = /Answer \d+\./.exec(reply) ?? []
    // The chat shows what was said to its session from another terminal.
    await chat.waitFor(last)
    expect(chat.everything()).toContain('❯ From elsewhere')
    chat.type(KEYS.ctrlD)
    expect(await chat.ended).toBe(0)
  })
})
