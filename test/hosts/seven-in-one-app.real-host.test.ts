import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { buildWeb } from '@longhaul/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packAll } from '../../scripts/pack/pack-all.ts'
import { QUESTIONS, runExample } from './run-example.ts'

const root = join(import.meta.dirname, '../..')
const TIMEOUT_MS = 900_000

/** Hosts that a program calls, and hosts that load the package by its name. */
const LIBRARIES = ['ai-sdk', 'langchain', 'mastra', 'openai-agents'] as const
const PLUGINS = ['openclaw', 'opencode', 'pi'] as const
/** The packages that those of the hosts need; a registry would bring them along. */
const GROUND = ['engine', 'store', 'models'] as const

describe('one app with the packages of all hosts, installed as their READMEs say', { timeout: TIMEOUT_MS }, () => {
  let app = ''
  let tarballs: readonly string[] = []

  function tarballOf(name: string): string {
    const found = tarballs.find(
      (file) => file.startsWith(`longhaul-${name}-`) && /^\d/.test(file.slice(name.length + 10)),
    )
    if (found === undefined) throw new Error(`There is no tarball of @longhaul/${name}.`)
    return join(app, 'tarballs', found)
  }

  /** npm refuses where two hosts demand what cannot stand in one `node_modules`. */
  async function install(packages: readonly string[]): Promise<void> {
    const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--strict-peer-deps', ...packages]
    const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter)
    const options = { cwd: app, env: { ...process.env, PATH }, timeout: TIMEOUT_MS, maxBuffer: 10_000_000 }
    await promisify(execFile)('npm', words, options)
  }

  beforeAll(async () => {
    app = await mkdtemp(join(tmpdir(), 'longhaul-seven-'))
    await buildWeb({ note: (line) => console.error(line) })
    tarballs = await packAll({ root, folder: join(app, 'tarballs') })
    await writeFile(join(app, 'package.json'), '{ "private": true, "type": "module" }\n')
    for (const name of [...LIBRARIES, ...PLUGINS]) {
      const packages = await readInstallLine(name)
      const own = packages.map((each) => (each === `@longhaul/${name}` ? tarballOf(name) : each))
      await install([...GROUND.map(tarballOf), ...own])
    }
  }, TIMEOUT_MS)
  afterAll(() => rm(app, { recursive: true, force: true }))

  it.each(LIBRARIES)('20 the program in the README of %s works in it', async (name) => {
    const [, shown = ''] = /```ts\n([^]*?)```/.exec(await readReadme(name)) ?? []
    const program = join(app, `${name}.js`)
    await writeFile(program, stripTypeScriptTypes(shown))
    const folder = join(app, `talk-${name}`)
    await mkdir(folder)
    expect(await runExample({ name, program, folder })).toEqual(QUESTIONS)
  })

  it.each(PLUGINS)('20 %s finds its plug-in in it', async (name) => {
    const script = `const { default: plugin } = await import('@longhaul/${name}')
        console.log(typeof plugin, typeof (plugin.register ?? plugin.server ?? plugin))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: app,
    })
    expect(stdout).toMatch(/^(?:object|function) function\n$/)
  })
})

function readReadme(name: string): Promise<string> {
  return readFile(join(root, 'hosts', name, 'README.md'), 'utf8')
}

/** `npm install …`, or what the host's own command installs. */
async function readInstallLine(name: string): Promise<readonly string[]> {
  const [, words = ''] = /(?:npm|plugins|pi) install ((?:npm:)?@longhaul\/[^\n`]+)/.exec(await readReadme(name)) ?? []
  expect(words).toContain(`@longhaul/${name}`)
  return words.split(' ').map((word) => word.replace(/^npm:/, ''))
}
