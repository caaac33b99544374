import { setTimeout as sleep } from 'node:timers/promises'
import { findTree, identify } from './find-tree.ts'
import type { CommandTrace } from './find-tree.ts'
import { readProcessTable } from './process-table.ts'
import type { ProcessInfo, ProcessTable } from './process-table.ts'

export interface EndOptions {
  /** How long processes may take to end by themselves after SIGTERM; 0: they are not asked. */
  readonly graceMs: number
  /** The root only stands around the command, and takes it along when it is killed: it is not asked, but killed first. */
  readonly isRootAround?: boolean
}

export interface EndedTree {
  /** Processes that were running and have ended now, the root not counted. */
  readonly ended: number
  /** Processes that could not be ended. */
  readonly left: readonly ProcessInfo[]
}

/** Kills are repeated for so long; what is still there then cannot be killed. */
const KILLING_MS = 1_000
const POLL_MS = 15
/** New processes that appear while others are being stopped; a fork bomb needs several rounds. */
const MAX_STOP_ROUNDS = 50

/** Ends a command with everything it started: asks first, then stops all so that none can start another, then kills. */
export async function endTree(trace: CommandTrace, { graceMs, isRootAround = false }: EndOptions): Promise<EndedTree> {
  const seen = new Set<string>()
  const look = async (): Promise<readonly ProcessInfo[]> => {
    const found = findTree(await scan(), trace, seen)
    for (const info of found) seen.add(identify(info))
    return found
  }

  let found = await look()
  if (graceMs > 0 && found.length > 0) {
    // A process that has closed its output may be about to end by itself: that one was not left running.
    await sleep(POLL_MS)
    seen.clear()
    found = await look()
  }
  if (graceMs > 0) for (const { pid } of found) if (!(isRootAround && pid === trace.root.pid)) send(pid, 'SIGTERM')
  for (const end = performance.now() + graceMs; found.length > 0 && performance.now() < end; found = await look()) {
    await sleep(POLL_MS)
  }
  if (isRootAround && found.some(({ pid }) => pid === trace.root.pid)) send(trace.root.pid, 'SIGKILL')
  for (const end = performance.now() + KILLING_MS; found.length > 0 && performance.now() < end; found = await look()) {
    for (const { pid } of await stopAll(look)) send(pid, 'SIGKILL')
    await sleep(POLL_MS)
  }
  const left = new Set([identify(trace.root), ...found.map(identify)])
  const ended = [...seen].filter((id) => !left.has(id)).length
  return { ended, left: found }
}

/** All processes of the command, once a look finds none that is not stopped. */
async function stopAll(look: () => Promise<readonly ProcessInfo[]>): Promise<readonly ProcessInfo[]> {
  const stopped = new Set<string>()
  let found = await look()
  for (let round = 0; round < MAX_STOP_ROUNDS; round += 1) {
    const running = found.filter((info) => !stopped.has(identify(info)))
    if (running.length === 0) break
    for (const info of running) {
      stopped.add(identify(info))
      send(info.pid, 'SIGSTOP')
    }
    found = await look()
  }
  return found
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself, or belongs to another user: then it is told as left over.
  }
}

let nextScan: Promise<ProcessTable> | null = null

/** A look at all processes, taken after it was asked for and shared by all who ask at the same time. */
function scan(): Promise<ProcessTable> {
  nextScan ??= new Promise((resolve) => {
    setImmediate(() => {
      nextScan = null
      resolve(readProcessTable())
    })
  })
  return nextScan
}
