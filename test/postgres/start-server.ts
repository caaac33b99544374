import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findBinaries } from './find-binaries.ts'
import type { Binaries } from './find-binaries.ts'
import { prepareBinaries } from './prepare-binaries.ts'
import { findServerUser } from './server-user.ts'

/** A PostgreSQL server of our own, in a folder of its own. It ends with this process, whatever ends that. */
export interface TestServer {
  readonly url: string
  /** Ends all connections and the server; its data stays. */
  readonly stop: () => Promise<void>
  /** As if the machine had lost power, for the server. */
  readonly crash: () => Promise<void>
  readonly start: () => Promise<void>
  /** Ends it and removes its data. */
  readonly close: () => Promise<void>
}

const SUPERVISOR = fileURLToPath(new URL('./supervise.ts', import.meta.url))

/** Starts the first PostgreSQL of this machine that runs. Rejects with the reasons if none does. */
export async function startServer(): Promise<TestServer> {
  const reasons: string[] = []
  for (const binaries of findBinaries()) {
    try {
      return await startWith(binaries)
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(reasons.length === 0 ? 'no PostgreSQL on this machine' : reasons.join('; '))
}

async function startWith(binaries: Binaries): Promise<TestServer> {
  // A path to a socket must be short, and only this user and the server's may use it: it asks for no password.
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-pg-'))
  let supervisor: ChildProcess | null = null
  try {
    const user = findServerUser()
    if (user !== null) chownSync(folder, user.uid, user.gid)
    const runnable = prepareBinaries(binaries, user, folder)
    const asUser = user === null ? [] : [String(user.uid), String(user.gid)]
    supervisor = spawn(process.execPath, [SUPERVISOR, folder, runnable, ...asUser], {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    })
    const order = createOrders(supervisor)
    await order('start')
    return {
      url: `postgres://postgres@${encodeURIComponent(folder)}/postgres`,
      stop: () => order('stop'),
      crash: () => order('crash'),
      start: () => order('start'),
      close: () => close(supervisor),
    }
  } catch (error) {
    await close(supervisor)
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function createOrders(supervisor: ChildProcess): (order: string) => Promise<void> {
  const { stdin, stdout } = supervisor
  if (stdin === null || stdout === null) throw new Error('The supervisor has no input or output.')
  stdin.on('error', () => {})
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]()
  return async (order) => {
    stdin.write(`${order}\n`)
    const answer = await answers.next()
    if (answer.done === true) throw new Error(`The supervisor of the server ended before it could ${order} it.`)
    if (answer.value !== 'done') throw new Error(`The server could not ${order}: ${answer.value}`)
  }
}

async function close(supervisor: ChildProcess | null): Promise<void> {
  if (supervisor === null || supervisor.pid === undefined || supervisor.exitCode !== null) return
  const ended = once(supervisor, 'exit')
  supervisor.stdin?.end()
  await ended
}
