import { expect, it } from 'vitest'
import { createDataFolder, describeWithTerminal, openTerminal } from './describe-with-terminal.ts'
import { KEYS } from './start-terminal.ts'

/** Says whether it has the terminal, and takes Ctrl-C itself. */
const PROGRAM = `
let times = 0
process.on('SIGINT', () => console.log('not yet', ++times))
process.stdin.on('data', (data) => process.exit(Number(String(data))))
console.log('terminal', process.stdin.isTTY, process.stdout.isTTY, process.stdout.columns)
`

describeWithTerminal('longhaul run on a terminal', () => {
  it('hands the terminal over, Ctrl-C too, and says at the end what was done', async () => {
    const words = ['run', '--port', '0', '--', process.execPath, '-e', PROGRAM]
    const terminal = openTerminal(await createDataFolder(), { arguments: words, columns: 93 })
    await terminal.waitFor('terminal true true 93')
    for (const times of [1, 2, 3]) {
      terminal.type(KEYS.ctrlC)
      await terminal.waitFor(`not yet ${times}`)
    }
    terminal.type('5')
    terminal.type(KEYS.enter)
    expect(await terminal.ended).toBe(5)
    expect(terminal.screen()).toContain('Longhaul: no request came through the gateway.')
  })

  it('ends as a shell would say where a signal ended the program', async () => {
    const words = ['run', '--port', '0', '--', process.execPath, '-e', 'process.kill(process.pid, "SIGTERM")']
    const terminal = openTerminal(await createDataFolder(), { arguments: words })
    expect(await terminal.ended).toBe(128 + 15)
  })
})
