import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

const WEB = dirname(createRequire(import.meta.url).resolve('@longhaul/web/package.json'))
const BUILT = join(WEB, 'dist')
/** What the build is made from. */
const SOURCES = [
  join(WEB, 'src'),
  join(WEB, 'public'),
  join(WEB, 'index.html'),
  join(WEB, 'vite.config.ts'),
  join(WEB, '../protocol/src'),
]

export interface BuildOptions {
  /** Also where nothing has changed. */
  readonly isForced?: boolean
  /** Told what takes so long, and what went wrong. */
  readonly note: (line: string) => void
}

/** The folder of the built web app, made now if it is missing or older than its sources; null: there is none. */
export async function buildWeb({ isForced = false, note }: BuildOptions): Promise<string | null> {
  const builtAt = await findChange(join(BUILT, 'index.html'))
  const found = builtAt === null ? null : BUILT
  const changes = await Promise.all(SOURCES.map(findChange))
  const changedAt = Math.max(...changes.map((change) => change ?? 0))
  if (!isForced && builtAt !== null && builtAt >= changedAt) return found
  const vite = findVite()
  // Installed without what builds it: what is there is used.
  if (vite === null || !existsSync(join(WEB, 'index.html'))) return found
  note('Building the web app …')
  const problem = await runBuild(vite)
  if (problem === null) return BUILT
  note(`The web app could not be built: ${problem}`)
  return found
}

/** The newest change of a file, or of any file in a folder; null: it is not there. */
async function findChange(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null)
  if (found === null) return null
  if (!found.isDirectory()) return found.mtimeMs
  const names = await readdir(path, { recursive: true })
  const times = await Promise.all(names.map(async (name) => (await stat(join(path, name))).mtimeMs))
  return Math.max(found.mtimeMs, ...times)
}

function findVite(): string | null {
  try {
    return createRequire(join(WEB, 'package.json')).resolve('vite/package.json')
  } catch {
    return null
  }
}

/** Into a folder of its own first: a server that runs meanwhile never serves half of a build. */
async function runBuild(vitePackage: string): Promise<string | null> {
  const { bin } = JSON.parse(await readFile(vitePackage, 'utf8')) as { bin: { vite: string } }
  const fresh = join(WEB, 'node_modules', `.build-${process.pid}`)
  const words = [join(vitePackage, '..', bin.vite), 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn']
  // Whoever asks, a test runner for one: React's words for developers are in no build.
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = spawn(process.execPath, words, { cwd: WEB, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [errors, code] = await Promise.all([text(child.stderr), ended])
  if (code !== 0) {
    await rm(fresh, { recursive: true, force: true })
    return errors.trim().split('\n').slice(0, 5).join(' ')
  }
  await rm(BUILT, { recursive: true, force: true })
  // Another process may have built it at the same time; its build is as good.
  await rename(fresh, BUILT).catch(() => rm(fresh, { recursive: true, force: true }))
  return null
}
