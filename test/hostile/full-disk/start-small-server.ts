import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { createFolder } from '../../../packages/server/src/testing/start-app.ts'
import type { SmallServerOptions } from './small-server.ts'

/** A way to run out of room for real. */
export interface SmallDisk {
  readonly name: string
  /** Whether this machine and this user can have it. */
  readonly isPossible: () => boolean
  readonly start: () => Promise<SmallServer>
}

export interface SmallServer {
  readonly url: string
  /** Room for a message, not for an answer. */
  makeSomeRoom(): void
  makeRoom(): void
  readonly hasEnded: () => boolean
}

/** A disk of this size, seen by one process alone: for whoever may have a mount namespace of its own. */
const MOUNT = 'mount -t tmpfs -o size=8m tmpfs "$0" && exec "$@"'
const UNSHARE = ['unshare', '--mount', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])]
const BALLAST = { ballast: 5_000_000, spare: 100_000 }

const smallFileSystem: SmallDisk = {
  name: 'a file system of 8 MB',
  isPossible: () => canRun([...UNSHARE, 'sh', '-c', MOUNT, tmpdir(), 'true']),
  async start() {
    const folder = await createFolder()
    const under = [...UNSHARE, 'sh', '-c', MOUNT, folder]
    const { pid, ...server } = await run(under, { folder, ballast: BALLAST })
    // The disk is to be seen from that process alone, and through its root from here.
    const remove = (name: string): void => rmSync(join(`/proc/${pid}/root${folder}`, name), { force: true })
    return { ...server, makeSomeRoom: () => remove('spare'), makeRoom: () => remove('ballast') }
  },
}

const MAX_FILE_BYTES = 2_000_000

const smallFiles: SmallDisk = {
  name: 'files of 2 MB at most',
  isPossible: () => canRun(['prlimit', `--fsize=${MAX_FILE_BYTES}:unlimited`, 'true']),
  async start() {
    const folder = await createFolder()
    const under = ['prlimit', `--fsize=${MAX_FILE_BYTES}:unlimited`]
    const { pid, ...server } = await run(under, { folder, ballast: {} })
    const limit = (bytes: number | string): void =>
      void canRun(['prlimit', '--pid', String(pid), `--fsize=${bytes}:unlimited`])
    return {
      ...server,
      makeSomeRoom: () => limit(MAX_FILE_BYTES + BALLAST.spare),
      makeRoom: () => limit('unlimited'),
    }
  },
}

export const SMALL_DISKS: readonly SmallDisk[] = [smallFileSystem, smallFiles]

function canRun([command = '', ...args]: readonly string[]): boolean {
  return spawnSync(command, args).status === 0
}

/** Kept from run to run: without it, most of the time goes into reading the sources. */
const COMPILE_CACHE = join(tmpdir(), 'longhaul-test-compile-cache')

async function run(under: readonly string[], options: SmallServerOptions) {
  const program = join(import.meta.dirname, 'small-server.ts')
  const [command, ...args] = [...under, process.execPath, program, JSON.stringify(options)]
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: options.folder, NODE_COMPILE_CACHE: COMPILE_CACHE },
  })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const gone = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
  })
  const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>
  const [url] = await Promise.race([
    line,
    gone.then(() => Promise.reject(new Error(`The server ended by itself: ${complaints}`))),
  ])
  return { url, pid: child.pid, hasEnded: () => child.exitCode !== null || child.signalCode !== null }
}
