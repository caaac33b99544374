import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createOutput } from '../terminal/output.ts'
import { createFolder, runCli } from '../testing/run-cli.ts'
import { createProgram } from './create-program.ts'

const SCREEN_ROWS = 24

function listHelp(): readonly { readonly name: string; readonly text: string }[] {
  const { command } = createProgram({
    output: { ...createOutput({}), width: 80 },
    environment: {},
    signal: AbortSignal.any([]),
  })
  const all = [command, ...command.commands.flatMap((each) => [each, ...each.commands])]
  return all.map((each) => ({ name: each.name(), text: each.helpInformation() }))
}

describe('help', () => {
  it.each(listHelp())('of $name fits a screen', ({ text }) => {
    const lines = text.trimEnd().split('\n')
    expect(lines.length).toBeLessThan(SCREEN_ROWS)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it('of each command names what every command takes', () => {
    const status = listHelp().find(({ name }) => name === 'status')
    expect(status?.text).toMatch(/--data <folder>[^]*--config <file>[^]*--json/)
  })
})

describe('the program', () => {
  it('tells its version and the commands it has', async () => {
    const folder = await createFolder()
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
      version: string
    }
    expect(await runCli(['--version'], { folder })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    const help = await runCli(['--help'], { folder })
    expect(help.code).toBe(0)
    expect(help.stdout).toMatch(/chat .*\n[^]*doctor/)
    expect((await runCli([], { folder })).stdout).toBe(help.stdout)
  })

  it.each([
    { words: ['stats'], says: /unknown command 'stats'\n\(Did you mean status\?\)/ },
    { words: ['models', '--jsn'], says: /unknown option '--jsn'\n\(Did you mean --json\?\)/ },
    { words: ['status'], says: /missing required argument 'session'/ },
    { words: ['sessions', 'list', '--limit', 'many'], says: /whole number/ },
    { words: ['completion', 'tcsh'], says: /bash, zsh, fish/ },
    { words: ['chat', '--message', ''], says: /There is no message/ },
  ])('ends with 2 and says what is wrong with: $words', async ({ words, says }) => {
    const { code, stdout, stderr } = await runCli(words, { folder: await createFolder() })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(says)
  })

  it('ends with 1 and one line for a missing session, a broken configuration, a store that is not there', async () => {
    const folder = await createFolder()
    const missing = await runCli(['status', 'nobody', '--json'], { folder })
    expect(missing).toEqual({
      code: 1,
      stdout: '',
      stderr: 'longhaul: There is no session nobody; `longhaul sessions list` shows what there is.\n',
    })
    const config = join(folder, 'broken.json5')
    await writeFile(config, '{\n  limits: { sessionUds: 1 },\n}')
    const broken = await runCli(['sessions', 'list', '--config', config], { folder })
    expect({ code: broken.code, stdout: broken.stdout }).toEqual({ code: 1, stdout: '' })
    expect(broken.stderr).toBe(`longhaul: ${config}:2: limits.sessionUds: unknown key; did you mean sessionUsd?\n`)
    const unreachable = await runCli(['sessions', 'list', '--store', 'postgres://127.0.0.1:1/none'], { folder })
    expect({ code: unreachable.code, stdout: unreachable.stdout }).toEqual({ code: 1, stdout: '' })
    expect(unreachable.stderr.trim().split('\n')).toHaveLength(1)
    const verbose = await runCli(['status', 'nobody', '--verbose'], { folder })
    expect(verbose.stderr).toMatch(/\n {4}at /)
  })

  it('wants the Node that the project wants', () => {
    const root = join(import.meta.dirname, '../../../..')
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } }
    const wanted = /wanted = \[(\d+), (\d+)\]/.exec(readFileSync(join(root, 'packages/cli/bin/longhaul.js'), 'utf8'))
    expect(`>=${wanted?.[1]}.${wanted?.[2]}`).toBe(engines.node)
  })
})
