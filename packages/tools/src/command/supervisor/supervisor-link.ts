import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CommandTrace } from '../processes/find-tree.ts'
import type { CommandOrder, CommandReport, FromSupervisor, ToSupervisor } from './command-order.ts'

/** TypeScript here, JavaScript where the package is installed. */
const PROGRAM = fileURLToPath(new URL(`supervisor${extname(import.meta.url)}`, import.meta.url))
/** A supervisor that is told to end has so long to end its commands. */
const CLOSING_MS = 3_000

/** A command under way, as the server sees it. */
export interface OrderedCommand {
  /** Rejects with `SupervisorLost` once the supervisor ended before the command did. */
  readonly report: Promise<CommandReport>
  readonly cancel: () => void
  /** The first process of the command, once it is known. */
  readonly root: () => CommandTrace['root'] | null
}

/** The server's end of one supervisor. It keeps no program running that has nothing else to do. */
export interface SupervisorLink {
  readonly isOpen: () => boolean
  readonly run: (order: CommandOrder) => OrderedCommand
  /** Ends it at once; its commands are reported as lost. */
  readonly kill: () => void
  /** Lets it end its commands and itself. */
  readonly close: () => Promise<void>
}

export class SupervisorLost extends Error {
  override readonly name = 'SupervisorLost'
}

interface Waiting {
  readonly resolve: (report: CommandReport) => void
  readonly reject: (error: Error) => void
  root: CommandTrace['root'] | null
}

export function startSupervisor(environment: Readonly<Record<string, string>>): SupervisorLink {
  const cache = getCompileCacheDir()
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...environment, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    // A session of its own: what ends the server at the terminal does not end it before its work is done.
    detached: true,
  })
  child.unref()
  child.channel?.unref()
  const waiting = new Map<string, Waiting>()
  let isOpen = true
  const lose = (reason: string): void => {
    isOpen = false
    for (const { reject } of waiting.values()) reject(new SupervisorLost(reason))
    waiting.clear()
  }
  child.once('error', (error) => lose(error.message))
  child.once('exit', (code, signal) => lose(signal === null ? `it ended with ${code}` : `it was ended by ${signal}`))
  child.on('message', (message: FromSupervisor) => {
    const one = waiting.get(message.id)
    if (one === undefined) return
    if (message.type === 'started') one.root = { pid: message.pid, startedAt: message.startedAt }
    else {
      waiting.delete(message.id)
      one.resolve(message.report)
    }
  })
  const tell = (message: ToSupervisor): void => {
    if (isOpen) child.send(message, (error) => void (error !== null && lose(error.message)))
  }
  return {
    isOpen: () => isOpen,
    run(order) {
      const { promise, resolve, reject } = Promise.withResolvers<CommandReport>()
      const one: Waiting = { resolve, reject, root: null }
      waiting.set(order.id, one)
      tell({ type: 'run', order })
      return { report: promise, cancel: () => tell({ type: 'cancel', id: order.id }), root: () => one.root }
    },
    kill: () => void child.kill('SIGKILL'),
    close: () => close(child),
  }
}

async function close(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  child.ref()
  const gone = once(child, 'exit', { signal: AbortSignal.timeout(CLOSING_MS) })
  if (child.connected) child.disconnect()
  await gone.catch(() => child.kill('SIGKILL'))
}
