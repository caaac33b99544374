import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { takeTerminalPictures } from '../../docs/take-terminal-pictures.ts'
import { createDataFolder, describeWithTerminal } from './describe-with-terminal.ts'

describeWithTerminal('the pictures of the guide', () => {
  it('can be taken again', async () => {
    const images = await createDataFolder()
    await takeTerminalPictures(images)
    const read = (name: string): Promise<string> => readFile(join(images, `terminal-${name}.svg`), 'utf8')
    expect(await read('first-run')).toContain('It is not an LLM.')
    expect(await read('approval')).toMatch(/\? Allow run_command [^]*command: ls beds/)
    expect(await read('queue')).toContain('queued: And the shed?')
    expect(await read('context')).toMatch(/summary +1 /)
  })
})
