import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@longhaul/engine/advanced'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCommandRunner } from './command/command-runner.ts'
import type { CommandRunner } from './command/command-runner.ts'
import { createWorkspaceTools } from './create-workspace-tools.ts'
import type { Tool, ToolOutcome } from './port/tool.ts'
import { setPermissions } from './set-permissions.ts'

let folder: string
let tools: readonly Tool[]
let commands: CommandRunner

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-tools-'))
  commands = createCommandRunner({ folder, environment: { PATH: process.env['PATH'] ?? '' } })
  tools = createWorkspaceTools({ folder, access: 'rw', commands })
})
afterEach(async () => {
  await commands.close()
  await rm(folder, { recursive: true, force: true })
})

function find(name: string, from: readonly Tool[] = tools): Tool {
  const tool = from.find((each) => each.name === name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  return tool
}

function run(name: string, input: JsonObject, signal = new AbortController().signal): Promise<ToolOutcome> {
  return find(name).run(input, { sessionId: 's', toolCallId: 'c', signal })
}

describe('files', () => {
  it('writes, reads, appends and edits', async () => {
    expect(await run('write_file', { path: 'notes/a.txt', content: 'one\ntwo\nthree\n' })).toMatchObject({
      output: expect.stringContaining('Created notes/a.txt'),
    })
    await run('write_file', { path: 'notes/a.txt', content: 'four\n', mode: 'append' })
    await run('write_file', { path: 'notes/a.txt', content: 'TWO', mode: 'edit', find: 'two' })
    expect(await run('read_file', { path: 'notes/a.txt' })).toEqual({ output: 'one\nTWO\nthree\nfour\n' })
    expect(await run('read_file', { path: 'notes/a.txt', fromLine: 2, lines: 2 })).toEqual({ output: 'TWO\nthree' })
    expect(await run('list_files', {})).toEqual({ output: 'notes/' })
    expect(await run('search_files', { text: 'THREE' })).toEqual({ output: 'notes/a.txt:3: three' })
    expect(await readdir(join(folder, 'notes'))).toEqual(['a.txt'])
  })

  it('says what is wrong in the words of the asker: no path of this machine', async () => {
    await run('write_file', { path: 'a.txt', content: 'x' })
    await expect(run('read_file', { path: 'none.txt' })).rejects.toThrow(/^No such file or folder: none\.txt$/)
    await expect(run('list_files', { path: 'none' })).rejects.toThrow(/^No such file or folder: none$/)
    await expect(run('list_files', { path: 'a.txt' })).rejects.toThrow(/^Not a folder: a\.txt$/)
    await expect(run('write_file', { path: 'a.txt/b.txt', content: 'x' })).rejects.toThrow(
      /^Not a folder: a\.txt\/b\.txt$/,
    )
    await expect(run('search_files', { path: 'none', text: 'x' })).rejects.toThrow(/^No such file or folder: none$/)
  })

  it('an edit that is not plain changes nothing', async () => {
    await run('write_file', { path: 'a.txt', content: 'x x' })
    await expect(run('write_file', { path: 'a.txt', content: 'y', mode: 'edit', find: 'x' })).rejects.toThrow(
      'more than once',
    )
    await expect(run('write_file', { path: 'a.txt', content: 'y', mode: 'edit', find: 'z' })).rejects.toThrow(
      'does not stand',
    )
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('x x')
  })

  it('leaves a file that is not UTF-8 as it is, unless it is replaced', async () => {
    const latin1 = Buffer.from('Stra\u00dfe 1\n', 'latin1')
    await writeFile(join(folder, 'old.txt'), latin1)
    await expect(run('write_file', { path: 'old.txt', content: '2', mode: 'append' })).rejects.toThrow('not UTF-8')
    const edit = { path: 'old.txt', content: '2', mode: 'edit', find: '1' }
    await expect(run('write_file', edit)).rejects.toThrow('not UTF-8')
    expect(await readFile(join(folder, 'old.txt'))).toEqual(latin1)
    await run('write_file', { path: 'old.txt', content: 'Straße 2\n' })
    expect(await readFile(join(folder, 'old.txt'), 'utf8')).toBe('Straße 2\n')
  })

  it('says that a binary file is not text', async () => {
    await writeFile(join(folder, 'b.bin'), Buffer.from([1, 0, 2]))
    await expect(run('read_file', { path: 'b.bin' })).rejects.toThrow('not a text file')
  })

  it('wrong arguments are told to the model, not thrown', async () => {
    expect(await run('read_file', { file: 'a.txt' })).toMatchObject({ isError: true })
  })

  it('outside the workspace it asks; inside it does not', async () => {
    expect(await find('read_file').permit({ path: '../x' })).toMatchObject({ verdict: 'ask' })
    expect(await find('write_file').permit({ path: '/etc/x', content: '' })).toMatchObject({ verdict: 'ask' })
    expect(await find('write_file').permit({ path: 'x', content: '' })).toEqual({ verdict: 'allow' })
  })

  it('decides again right before it writes: what was free when it asked may not be so any more', async () => {
    const input = { path: 'run.txt', content: 'planted' }
    await writeFile(join(folder, 'run.txt'), 'before')
    expect(await find('write_file').permit(input)).toEqual({ verdict: 'allow' })
    await chmod(join(folder, 'run.txt'), 0o755)
    await expect(run('write_file', input)).rejects.toThrow('somebody has to be asked first')
    const context = { sessionId: 's', toolCallId: 'c', signal: new AbortController().signal, isApproved: true }
    const other = { ...context, approvedReason: 'Write something else?' }
    await expect(find('write_file').run(input, other)).rejects.toThrow('not any more what was allowed')
    expect(await readFile(join(folder, 'run.txt'), 'utf8')).toBe('before')
    await find('write_file').run(input, context)
    expect(await readFile(join(folder, 'run.txt'), 'utf8')).toBe('planted')
  })

  it.each(['read_file', 'list_files', 'search_files', 'write_file'])(
    '%s does nothing outside the workspace that was not allowed, whoever calls it',
    async (name) => {
      await expect(run(name, { path: '..', text: 'x', content: 'x' })).rejects.toThrow('somebody has to be asked first')
    },
  )

  it('asks before a path of the installation itself, wherever it lies', async () => {
    const reason = 'It holds the settings of Longhaul itself.'
    const guarded = [{ path: join(folder, 'own'), reason }]
    const own = createWorkspaceTools({ folder, access: 'rw', commands, guarded })
    const permit = (path: string) => find('write_file', own).permit({ path, content: '' })
    expect(await permit('own/config.json5')).toEqual({ verdict: 'ask', reason: `Write own/config.json5? ${reason}` })
    expect(await permit('owner.txt')).toEqual({ verdict: 'allow' })
  })

  it.each(['AGENTS.md', './memory/2026-11-15.md', 'sub/../MEMORY.md'])(
    'asks before %s: it speaks in every later session',
    async (path) => {
      expect(await find('write_file').permit({ path, content: '' })).toMatchObject({ verdict: 'ask' })
    },
  )

  it.each([
    ['ro', ['read_file', 'list_files', 'search_files', 'http_get']],
    ['none', ['http_get']],
  ] as const)('OPEN-08 access %s leaves out what it must', (access, names) => {
    const offered = createWorkspaceTools({ folder, access, commands })
    expect(offered.map(({ name }) => name)).toEqual(names)
  })
})

describe('commands', () => {
  it('ask by default, run in the workspace, and tell their exit code', async () => {
    expect(await find('run_command').permit({ command: 'ls' })).toMatchObject({
      verdict: 'ask',
      reason: expect.stringMatching(/^Run: ls – it can read and change whatever you can/),
    })
    expect(await run('run_command', { command: 'pwd; exit 3' })).toEqual({
      output: `${folder}\n[exit code 3]`,
      isError: true,
    })
  })

  it('end with everything they started, when their time is over', async () => {
    const { output, isError } = await run('run_command', { command: 'sleep 60 & sleep 60', timeoutMs: 150 })
    expect(isError).toBe(true)
    expect(output).toContain('stopped after 150 ms')
  })

  it('end when the user cancels', async () => {
    const cancel = new AbortController()
    const running = run('run_command', { command: 'sleep 60' }, cancel.signal)
    cancel.abort()
    expect(await running).toMatchObject({ isError: true, output: expect.stringContaining('cancelled') })
  })

  it('see only the environment they are given', async () => {
    const { output } = await run('run_command', { command: 'env' })
    expect(output).not.toContain('API_KEY')
    expect(output).not.toContain('HOME=')
  })
})

describe('setPermissions', () => {
  it.each([
    ['allow', 'allow'],
    ['ask', 'ask'],
    ['deny', 'deny'],
  ] as const)('%s from the configuration holds', async (set, verdict) => {
    const [tool] = setPermissions([find('run_command')], { run_command: set })
    expect((await tool?.permit({ command: 'ls' }))?.verdict).toBe(verdict)
  })

  it("a tool's own no stands", async () => {
    const [tool] = setPermissions([find('http_get')], { '*': 'allow' })
    expect((await tool?.permit({ url: 'http://127.0.0.1/' }))?.verdict).toBe('deny')
  })
})
