// node supervise.ts <folder> <folder of binaries> [uid gid]: runs a PostgreSQL server in a folder for the process that holds
// its input. Lines in: `start`, `stop`, `crash`; one line out for each: `done`, or `failed` and why. When the input ends, in
// whatever way that process has ended, the server ends and the folder goes.
import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const [folder = '', binaries = '', uid, gid] = process.argv.slice(2)
const user = uid === undefined ? {} : { uid: Number(uid), gid: Number(gid) }
const data = join(folder, 'data')
const log = join(folder, 'server.log')
const ending = new AbortController()
let server: ChildProcess | null = null

const lines = createInterface({ input: process.stdin })
const finish = (): void => {
  ending.abort()
  lines.close()
}
process.stdin.on('end', finish)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, finish)
process.stdout.on('error', finish)

for await (const line of lines) {
  try {
    await obey(line)
    console.log('done')
  } catch (error) {
    console.log(`failed ${JSON.stringify(`${String(error)} ${readLog()}`)}`)
  }
}
await end('SIGINT')
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
process.exit()

async function obey(line: string): Promise<void> {
  if (line === 'start') await start()
  else if (line === 'stop') await end('SIGINT')
  else if (line === 'crash') await end('SIGQUIT')
  else throw new Error(`Unknown order: ${line}`)
}

async function start(): Promise<void> {
  const options = { ...user, cwd: folder, signal: ending.signal }
  if (!existsSync(join(data, 'PG_VERSION'))) {
    // The folder lives as long as the run; what the server itself writes is synced as in production.
    const settings = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
    await promisify(execFile)(join(binaries, 'initdb'), [`--pgdata=${data}`, ...settings], options)
  }
  const output = openSync(log, 'a')
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'max_connections=200']
  const started = spawn(join(binaries, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...options,
    stdio: ['ignore', output, output],
    killSignal: 'SIGINT',
  })
  started.on('error', () => {})
  server = started
  while (!isReady(started)) {
    if (hasEnded(started)) throw new Error('The server ended before it was ready.')
    await wait(20)
  }
}

/** SIGINT ends all connections in good order; SIGQUIT is a crash, after which the server recovers from its log. */
async function end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (server === null || hasEnded(server)) return
  const ended = once(server, 'exit')
  server.kill(signal)
  const patience = setTimeout(() => server?.kill('SIGQUIT'), 5_000)
  const lastResort = setTimeout(() => server?.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(patience)
  clearTimeout(lastResort)
}

function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null
}

/** The server says so itself in its file; after a crash there is still the one of its predecessor. */
function isReady({ pid }: ChildProcess): boolean {
  try {
    const file = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    return file[0] === String(pid) && file[7]?.trim() === 'ready'
  } catch {
    return false
  }
}

function readLog(): string {
  return existsSync(log) ? readFileSync(log, 'utf8').slice(-2_000) : ''
}
