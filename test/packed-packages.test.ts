import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { writeClaudeCodeSession } from '@longhaul/audit/testing'
import { buildWeb } from '@longhaul/server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { packAll } from '../scripts/pack/pack-all.ts'

const root = join(import.meta.dirname, '..')
const EXAMPLE = join(root, 'examples/engine-in-your-loop.ts')

describe('packages as tarballs', () => {
  let app = ''
  let files: readonly string[] = []

  beforeAll(async () => {
    app = await mkdtemp(join(tmpdir(), 'longhaul-packed-'))
    await buildWeb({ note: (line) => console.error(line) })
    const names = await packAll({ root, folder: join(app, 'tarballs') })
    await install(app, names)
    files = await readdir(join(app, 'node_modules/@longhaul'), { recursive: true })
  })
  afterAll(() => rm(app, { recursive: true, force: true }))

  function run(words: readonly string[]): string {
    const env = { PATH: process.env['PATH'], LONGHAUL_DATA: join(app, 'data') }
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: app, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`)
    return stdout
  }

  const longhaul = (...words: string[]): string => run(['node_modules/@longhaul/cli/bin/longhaul.js', ...words])

  it('hold what runs and its types: no source that Node would have to strip, no test', () => {
    expect(files.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([])
    expect(files.filter((name) => name.includes('.test.'))).toEqual([])
    expect(files).toContain('engine/src/index.js')
    expect(files).toContain('engine/src/index.d.ts')
    expect(files).toContain('engine/LICENSE')
  })

  it('the engine runs and is typed in somebody else’s program', async () => {
    await copyFile(EXAMPLE, join(app, 'loop.mts'))
    await writeFile(join(app, 'loop.mjs'), stripTypeScriptTypes(await readFile(EXAMPLE, 'utf8')))
    expect(run(['loop.mjs']).trim().split('\n')).toHaveLength(30)
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node']
    const words = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', ...types, 'loop.mts']
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), words, { cwd: app, encoding: 'utf8' })
    expect(stdout).toBe('')
  })

  it('the program chats, verifies what it stored in a thread of its own, and draws a replay', async () => {
    expect(longhaul('--version').trim()).toMatch(/^\d+\.\d+\.\d+$/)
    expect(longhaul('chat', '--message', 'hello')).toContain('offline model')
    expect(longhaul('verify')).toContain('all is as it should be')
    expect(longhaul('sessions', 'list', '--json')).toContain('"title": "Hello"')
    longhaul('replay', join(root, 'packages/server/src/samples/boat-booking.jsonl'), '--html', 'page.html', '--json')
    expect(await readFile(join(app, 'page.html'), 'utf8')).toContain('<title>Longhaul replay</title>')
    const { path, lost } = await writeClaudeCodeSession(app)
    expect(longhaul('audit', path, '--html', 'audit.html')).toContain(lost)
    expect(await readFile(join(app, 'audit.html'), 'utf8')).toContain(lost)
  })

  it.each([
    ['ai-sdk', 'longhaul'],
    ['langchain', 'longhaulMiddleware'],
    ['mastra', 'longhaulProcessor'],
    ['openai-agents', 'longhaulFilter'],
    ['openclaw', 'default'],
    ['opencode', 'default'],
    ['pi', 'default'],
  ])('20 @longhaul/%s is JavaScript that can be imported, with its README', async (name, exported) => {
    const program = `console.log(typeof (await import('@longhaul/${name}'))['${exported}'])`
    expect(run(['--input-type=module', '-e', program])).toMatch(/^(?:function|object)\n$/)
    expect(await readFile(join(app, 'node_modules/@longhaul', name, 'README.md'), 'utf8')).toContain(' install ')
  })

  it('the server brings the web app along', async () => {
    const words = ['node_modules/@longhaul/cli/bin/longhaul.js', 'serve', '--port', '0', '--data', join(app, 'served')]
    const child = spawn(process.execPath, words, { cwd: app, stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const url = line.replace('Longhaul is ready at ', '')
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
    expect((await fetch(url + script)).status).toBe(200)
    expect((await fetch(`${url}/api/sessions/sample`, { method: 'POST' })).status).toBe(201)
  })
})

/** As npm would, without a network: our packages from their tarballs, all others from the checkout. */
async function install(app: string, tarballs: readonly string[]): Promise<void> {
  const modules = join(app, 'node_modules')
  await mkdir(modules)
  const others = (await readdir(join(root, 'node_modules'))).filter((name) => name !== '@longhaul')
  await Promise.all(others.map((name) => symlink(join(root, 'node_modules', name), join(modules, name))))
  for (const tarball of tarballs) {
    const [, name = ''] = /^longhaul-(.+)-\d+\.\d+\.\d+\.tgz$/.exec(tarball) ?? []
    const target = join(modules, '@longhaul', name)
    await mkdir(target, { recursive: true })
    const words = ['-xzf', join(app, 'tarballs', tarball), '-C', target, '--strip-components', '1']
    expect(spawnSync('tar', words).status).toBe(0)
  }
}
