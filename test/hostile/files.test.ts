import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, link, mkdir, open, readFile, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionEvent } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../packages/cli/src/testing/run-cli.ts'
import { createHostileFolders, startObedientServer, within } from './files/start-obedient-server.ts'
import type { ObedientServer, ToldCall } from './files/start-obedient-server.ts'

const write = (path: string, mode = 'replace'): ToldCall => ({
  name: 'write_file',
  input: { path, content: 'planted', mode },
})
const read = (path: string): ToldCall => ({ name: 'read_file', input: { path } })

function makePipes(...paths: readonly string[]): void {
  const { status } = spawnSync('mkfifo', paths)
  expect(status).toBe(0)
}

function outputsOf(events: readonly SessionEvent[]): Readonly<Record<string, string>> {
  return Object.fromEntries(events.flatMap((event) => (event.type === 'tool-result' ? [[event.id, event.output]] : [])))
}

/** One new session whose model makes these calls; the outputs in their order. */
async function run(server: ObedientServer, calls: readonly ToldCall[]): Promise<readonly string[]> {
  const outputs = outputsOf(await (await server.order(calls)).until(({ type }) => type === 'done'))
  return calls.map((_, index) => outputs[`call-${index}`] ?? '(none)')
}

describe('named pipes', () => {
  it('18.4 pipes in four sessions hold up neither another session, nor /api/health, nor the shutdown', async () => {
    const { folder, workspace } = await createHostileFolders()
    await mkdir(join(workspace, 'memory'))
    makePipes(...['a.pipe', 'memory/a.md', 'MEMORY.md'].map((name) => join(workspace, name)))
    await writeFile(join(workspace, 'plain.txt'), 'plain words')
    const server = await startObedientServer(folder)
    const stuck = await Promise.all(
      [
        [read('a.pipe')],
        [write('a.pipe', 'append'), write('a.pipe', 'edit'), write('a.pipe')],
        [
          { name: 'memory_get', input: { name: 'memory/a.md' } },
          { name: 'memory_search', input: { query: 'a' } },
        ],
        [
          { name: 'search_files', input: { text: 'x', path: 'a.pipe' } },
          { name: 'list_files', input: {} },
        ],
      ].map((calls) => server.order(calls)),
    )
    expect(await run(server, [read('plain.txt')])).toEqual(['plain words'])
    expect(await within(server.client.health(), 'the health')).toMatchObject({ status: 'ok' })
    const [ofRead, ofWrite, ofMemory, ofFolder] = await Promise.all(
      stuck.map(async (turn) => Object.values(outputsOf(await turn.until(({ type }) => type === 'done')))),
    )
    expect(ofRead).toEqual(['A named pipe, not a file: a.pipe'])
    expect(new Set(ofWrite)).toEqual(new Set(['A named pipe, not a file: a.pipe']))
    expect(ofMemory?.join('\n')).toContain('There is no such memory file.')
    expect(ofFolder?.join('\n')).toMatch(/a\.pipe \(a named pipe\)/)
    expect(server.logged()).toMatch(/file-left-out: MEMORY\.md .* A named pipe, not a file/)
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it('18.4 AGENTS.md and its like may be pipes: sessions are answered without them', async () => {
    const { folder, workspace } = await createHostileFolders()
    const names = ['AGENTS.md', 'SOUL.md', 'IDENTITY.md', 'USER.md']
    makePipes(...names.map((name) => join(workspace, name)))
    await writeFile(join(workspace, 'TOOLS.md'), 'Use the green hammer.')
    const server = await startObedientServer(folder)
    const texts = await Promise.all([server.readSystemText(), server.readSystemText()])
    for (const text of texts) expect(text).toContain('Use the green hammer.')
    for (const name of names) expect(server.logged()).toContain(`file-left-out: ${name} `)
    expect(await server.end('SIGTERM')).toBe(0)
  })
})

describe('links that lead out', () => {
  const SECRET = 'the walrus sleeps at nine'

  it('18.5 as AGENTS.md, MEMORY.md and memory/x.md: read by nobody, and the log and doctor say so', async () => {
    const { folder, workspace, outside } = await createHostileFolders()
    await writeFile(join(outside, 'secret.md'), `- ${SECRET}\n`)
    await mkdir(join(workspace, 'memory'))
    const names = ['AGENTS.md', 'SOUL.md', 'MEMORY.md', 'memory/x.md']
    for (const name of names) await symlink(join(outside, 'secret.md'), join(workspace, name))
    await writeFile(join(workspace, 'memory/mine.md'), '- the gate is green\n')
    const server = await startObedientServer(folder)
    const { client, url } = server
    const told = [
      await server.readSystemText(),
      ...(await run(server, [
        ...names.map(read),
        ...['MEMORY.md', 'memory/x.md'].map((name) => ({ name: 'memory_get', input: { name } })),
        { name: 'memory_search', input: { query: 'walrus sleeps' } },
        { name: 'search_files', input: { text: 'walrus' } },
      ])),
      JSON.stringify(await client.searchMemory('walrus')),
      JSON.stringify(await (await fetch(`${url}/api/memory/files`)).json()),
      await (await fetch(`${url}/api/memory/files/MEMORY.md`)).text(),
      await (await fetch(`${url}/api/memory/files/memory%2Fx.md`)).text(),
    ]
    for (const text of told) expect(text).not.toContain(SECRET)
    expect(told.filter((text) => text.includes('leads out of the workspace'))).toHaveLength(names.length)
    expect(JSON.stringify(await client.searchMemory('gate'))).toContain('the gate is green')
    for (const name of names) expect(server.logged()).toMatch(new RegExp(`file-left-out: ${name} .*leads out`))
    await server.end('SIGTERM')
    const { stdout } = await runCli(['doctor'], { folder })
    for (const name of names) expect(stdout).toMatch(new RegExp(`! workspace +${name} .*leads out`))
  })

  it('18.5 as the memory folder: neither read nor written', async () => {
    const { folder, workspace, outside } = await createHostileFolders()
    await writeFile(join(outside, 'x.md'), `- ${SECRET}\n`)
    await symlink(outside, join(workspace, 'memory'))
    const server = await startObedientServer(folder)
    const outputs = await run(server, [
      { name: 'save_memory', input: { text: 'planted' } },
      { name: 'memory_get', input: { name: 'memory/x.md' } },
      { name: 'memory_search', input: { query: 'walrus' } },
      { name: 'list_files', input: { path: 'memory' } },
    ])
    for (const output of outputs) expect(output).not.toContain(SECRET)
    expect(outputs[0]).toContain('through a link')
    const written = await run(server, [write('memory/new.md'), write('memory/x.md', 'append')])
    for (const output of written) expect(output).toContain('leads out of the workspace')
    expect(JSON.stringify(await server.client.searchMemory('walrus'))).not.toContain(SECRET)
    expect(await (await fetch(`${server.url}/api/memory/files/memory%2Fx.md`)).text()).not.toContain(SECRET)
    expect(await readdir(outside)).toEqual(['x.md'])
    expect(await readFile(join(outside, 'x.md'), 'utf8')).toBe(`- ${SECRET}\n`)
  })

  it('18.5 as the file of today: nothing is saved through it, not even to a file that lies inside', async () => {
    const { folder, workspace, outside } = await createHostileFolders()
    const today = `${new Intl.DateTimeFormat('en-CA').format(Date.now())}.md`
    await writeFile(join(outside, 'secret.md'), 'before')
    await writeFile(join(workspace, 'AGENTS.md'), 'before')
    await mkdir(join(workspace, 'memory'))
    const server = await startObedientServer(folder)
    for (const target of [join(outside, 'secret.md'), join(workspace, 'AGENTS.md')]) {
      await symlink(target, join(workspace, 'memory', today))
      const [output] = await run(server, [{ name: 'save_memory', input: { text: 'planted' } }])
      expect(output).toContain('through a link')
      expect(await readFile(target, 'utf8')).toBe('before')
      await rm(join(workspace, 'memory', today))
    }
  })
})

describe('keys and conversations', () => {
  it('18.2 in a workspace that holds the data folder, no tool reads them unasked, not through a link either', async () => {
    const { folder } = await createHostileFolders()
    const workspace = join(folder, '..')
    const key = 'sk-planted-key'
    await writeFile(join(folder, 'config.json5'), `{ apiKey: "${key}" }`)
    await writeFile(join(workspace, 'plain.txt'), `not ${key}\n`)
    await symlink('data', join(workspace, 'notes'))
    const server = await startObedientServer(folder, { workspace })
    const asking = [
      read('data/config.json5'),
      read('notes/config.json5'),
      { name: 'list_files', input: { path: 'data' } },
      { name: 'search_files', input: { text: key, path: 'data' } },
    ]
    const { sessionId, until } = await server.order([...asking, { name: 'search_files', input: { text: key } }])
    const events = await until(
      (_, seen) =>
        seen.filter(({ type }) => type === 'approval-needed').length === asking.length &&
        outputsOf(seen)[`call-${asking.length}`] !== undefined,
    )
    expect(outputsOf(events)).toEqual({ [`call-${asking.length}`]: `plain.txt:1: not ${key}` })
    for (const event of events)
      if (event.type === 'approval-needed') expect(event.reason).toContain('the settings or the data of Longhaul')
    server.answer(sessionId, 'call-0', true)
    const allowed = await until((_, seen) => outputsOf(seen)['call-0'] !== undefined)
    expect(outputsOf(allowed)['call-0']).toContain(key)
  })
})

/** Written unasked, each of these would run or steer something later. */
const STEERING = `.git/config .git/hooks/pre-commit sub/.git/config .GIT/config .hg/hgrc .svn/wc.db .husky/pre-push HEAD
  sub/HEAD .gitmodules AGENTS.md agents.MD sub/AGENTS.md SOUL.md IDENTITY.md USER.md TOOLS.md MEMORY.md memory/x.md
  CLAUDE.md sub/CLAUDE.local.md GEMINI.md .cursorrules .cursor/rules/a.mdc .windsurfrules .clinerules .clinerules/a.md
  .github/workflows/a.yml .github/copilot-instructions.md .gitlab-ci.yml .claude/settings.json .mcp.json .codex/a.toml
  .envrc .env .env.local sub/.envrc .npmrc .yarnrc.yml package.json sub/package.json package-lock.json Cargo.toml build.rs
  node_modules/a/index.js .vscode/tasks.json .idea/workspace.xml .devcontainer/devcontainer.json Makefile sub/makefile
  Dockerfile Dockerfile.dev docker-compose.yml .bashrc .profile .zshrc .aws/config .kilocode/rules/a.md babel.config.json .ssh/authorized_keys .config/autostart/a.desktop
  pyproject.toml setup.py conftest.py sub/conftest.py sitecustomize.py vitest.config.ts eslint.config.js .eslintrc.json
  .pre-commit-config.yaml Jenkinsfile justfile .nvim.lua .g\u200cit/config`.split(/\s+/)

const ORDINARY =
  `README.md notes.txt src/index.ts src/memory/index.ts build/out.txt workspace/a.ts lib/app.py lib/__init__.py
  docs/agents.txt .editorconfig .gitignore tsconfig.json data.json index.html style.css main.rs main.go App.java
  config.json config/settings.yaml test/a.test.ts scripts/new.sh head.tsx`.split(/\s+/)

describe('writing', () => {
  it('18.6 asks before each file that runs or steers something, writes none before the yes, and the others at once', async () => {
    const { folder, workspace } = await createHostileFolders()
    const server = await startObedientServer(folder)
    const { sessionId, until } = await server.order([...STEERING, ...ORDINARY].map((path) => write(path)))
    const isAsked = ({ type }: SessionEvent): boolean => type === 'approval-needed'
    const isDone = ({ type }: SessionEvent): boolean => type === 'tool-result'
    const events = await until(
      (_, seen) => seen.filter((event) => isAsked(event) || isDone(event)).length === STEERING.length + ORDINARY.length,
    )
    const asked = events.flatMap((event) => (event.type === 'approval-needed' ? [String(event.input['path'])] : []))
    expect(asked.toSorted()).toEqual(STEERING.toSorted())
    for (const path of STEERING) expect([path, existsSync(join(workspace, path))]).toEqual([path, false])
    for (const path of ORDINARY) expect(await readFile(join(workspace, path), 'utf8')).toBe('planted')
    const allowed = [STEERING.indexOf('.git/hooks/pre-commit'), STEERING.indexOf('package.json')]
    for (const index of allowed) server.answer(sessionId, `call-${index}`, true)
    await until((_, seen) => allowed.every((index) => outputsOf(seen)[`call-${index}`] !== undefined))
    expect(await readFile(join(workspace, '.git/hooks/pre-commit'), 'utf8')).toBe('planted')
    await server.client.cancel(sessionId)
    await until(({ type }) => type === 'done')
    const written = STEERING.filter((path) => existsSync(join(workspace, path)))
    expect(written.toSorted()).toEqual(['.git/hooks/pre-commit', 'package.json'])
  })

  it('18.6 asks before what is executable, begins as a script, or has another name, and tells where a link leads', async () => {
    const { folder, workspace, outside } = await createHostileFolders()
    const at = (name: string): string => join(workspace, name)
    await writeFile(at('tool'), 'echo hello')
    await chmod(at('tool'), 0o755)
    await writeFile(at('script.txt'), '#!/bin/sh\necho hello')
    await writeFile(join(outside, 'twin'), 'before')
    await link(join(outside, 'twin'), at('twin'))
    await writeFile(at('AGENTS.md'), 'before')
    await symlink('AGENTS.md', at('notes.md'))
    await mkdir(at('.git'))
    await symlink('.git', at('docs'))
    await writeFile(at('plain.txt'), 'before')
    const server = await startObedientServer(folder)
    const paths = ['tool', 'script.txt', 'twin', 'notes.md', 'docs/config']
    const { sessionId, until } = await server.order(paths.map((path) => write(path, 'append')))
    const events = await until(
      (_, seen) => seen.filter(({ type }) => type === 'approval-needed').length === paths.length,
    )
    const reasons = events.flatMap((event) => (event.type === 'approval-needed' ? [event.reason ?? ''] : [])).join('\n')
    expect(reasons).toContain('Write tool? It is executable')
    expect(reasons).toContain('Write script.txt? It is a script')
    expect(reasons).toContain('Write twin? The same file has another name')
    expect(reasons).toMatch(/Write notes\.md\? .*what is written is AGENTS\.md/)
    expect(reasons).toMatch(/Write docs\/config\? .*what is written is \.git\/config/)
    await server.client.cancel(sessionId)
    await until(({ type }) => type === 'done')
    expect(await readFile(join(outside, 'twin'), 'utf8')).toBe('before')
    expect(await readFile(at('AGENTS.md'), 'utf8')).toBe('before')
    expect(await readdir(at('.git'))).toEqual([])
    expect((await run(server, [write('plain.txt', 'append')]))[0]).toContain('Added')
  })

  it('18.6 a yes is for what was asked about: a link that leads elsewhere by then is not followed', async () => {
    const { folder, workspace } = await createHostileFolders()
    const at = (name: string): string => join(workspace, name)
    await writeFile(at('harmless.txt'), 'before')
    await writeFile(at('AGENTS.md'), 'before')
    await symlink('harmless.txt', at('notes.md'))
    const server = await startObedientServer(folder)
    const { sessionId, until } = await server.order([write('notes.md')])
    await until(({ type }) => type === 'approval-needed')
    await rm(at('notes.md'))
    await symlink('AGENTS.md', at('notes.md'))
    server.answer(sessionId, 'call-0', true)
    const outputs = outputsOf(await until(({ type }) => type === 'done'))
    expect(outputs['call-0']).toContain('not any more what was allowed')
    expect(await readFile(at('AGENTS.md'), 'utf8')).toBe('before')
  })
})

describe('files of 1.9 GB', () => {
  const SIZE = 1_900_000_000

  it('18.7 are added to, and searched, and refused, without being read', async () => {
    const { folder, workspace } = await createHostileFolders()
    await mkdir(join(workspace, 'memory'))
    for (const name of ['big.txt', 'AGENTS.md', 'MEMORY.md', 'memory/big.md']) {
      await writeFile(join(workspace, name), '')
      await truncate(join(workspace, name), SIZE)
    }
    const server = await startObedientServer(folder)
    const before = await server.readPeakBytes()
    const turn = await server.order([
      write('big.txt', 'append'),
      { name: 'write_file', input: { path: 'big.txt', content: 'x', mode: 'edit', find: 'y' } },
      read('big.txt'),
      { name: 'search_files', input: { text: 'planted' } },
      { name: 'memory_search', input: { query: 'planted' } },
      { name: 'memory_get', input: { name: 'memory/big.md' } },
    ])
    await within(server.client.health(), 'the health')
    const outputs = outputsOf(await turn.until(({ type }) => type === 'done'))
    const grown = (await server.readPeakBytes()) - before
    expect(outputs['call-0']).toBe(`Added 7 characters to big.txt, behind the ${SIZE} bytes it had.`)
    expect(outputs['call-1']).toContain('too large')
    expect(outputs['call-2']).toContain('not a text file')
    expect(outputs['call-3']).toContain('Nothing found')
    expect((await stat(join(workspace, 'big.txt'))).size).toBe(SIZE + 7)
    await using handle = await open(join(workspace, 'big.txt'))
    const { buffer } = await handle.read(Buffer.alloc(7), 0, 7, SIZE)
    expect(buffer.toString()).toBe('planted')
    expect(grown).toBeLessThan(300_000_000)
  })
})
