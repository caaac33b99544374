import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { endTree } from '../processes/end-tree.ts'
import type { EndedTree } from '../processes/end-tree.ts'
import type { CommandTrace } from '../processes/find-tree.ts'
import { readChannel, readProcess } from '../processes/process-table.ts'
import { GRACE_MS, MARKER_NAME } from './command-order.ts'
import type { CommandOrder, CommandReport } from './command-order.ts'
import { createOutputBuffer } from './output-buffer.ts'
import { runEndProgram } from './run-end-program.ts'

export interface SupervisedCommand {
  /** null: it could not be started. */
  readonly root: CommandTrace['root'] | null
  readonly report: Promise<CommandReport>
  /** Ends it, with everything it started. `now` does not ask its processes first. */
  readonly stop: (why: 'time-out' | 'cancelled', now?: boolean) => Promise<void>
}

/** Processes that a command leaves behind may finish what they write for so long. */
const FINISHING_MS = 250
/** Those that it left in the background are asked to end before they are killed. */
const LEFTOVER_GRACE_MS = 300

type Ending = Pick<CommandReport, 'exitCode' | 'endedBy'>

/** Starts a command and answers once it has ended, or was stopped, and nothing of it runs any more. */
export function superviseCommand(order: CommandOrder): SupervisedCommand {
  const { file, timeoutMs, isNamespaced, endWith } = order
  const marker = `${MARKER_NAME}=${order.id}`
  const child = spawn(file, order.arguments, {
    cwd: order.folder,
    env: { ...order.environment, [MARKER_NAME]: order.id },
    stdio: ['ignore', 'pipe', 'pipe', ...(isNamespaced ? (['pipe'] as const) : [])],
    // A session of its own: what it starts is told from the rest.
    detached: true,
  })
  const output = createOutputBuffer()
  child.stdout?.on('data', output.add)
  child.stderr?.on('data', output.add)
  const counted = readCount(child)
  const trace = traceOf(child, marker)
  const done = Promise.withResolvers<CommandReport>()
  let stopping: Promise<void> | null = null

  const answer = (ending: Partial<CommandReport>, tree: EndedTree): void => {
    clearTimeout(timer)
    // Whoever still holds the other end is not waited for.
    for (const stream of child.stdio) stream?.destroy()
    done.resolve({
      ...output.take(),
      exitCode: null,
      endedBy: null,
      stopped: null,
      problem: null,
      endedProcesses: tree.ended,
      leftProcesses: tree.left.map(({ pid, name }) => ({ pid, name })),
      ...ending,
    })
  }
  const end = async (graceMs: number): Promise<EndedTree> =>
    trace === null ? NOTHING : endTree(trace, { graceMs, isRootAround: isNamespaced })
  const runStop = async (why: 'time-out' | 'cancelled', now: boolean): Promise<void> => {
    const { left } = await end(now ? 0 : GRACE_MS)
    if (endWith !== null) await runEndProgram(endWith, order.environment)
    answer({ stopped: why }, { ended: 0, left })
  }
  const stop = (why: 'time-out' | 'cancelled', now = false): Promise<void> => (stopping ??= runStop(why, now))
  const timer = setTimeout(() => void stop('time-out'), timeoutMs)

  child.once('error', (error) => answer({ problem: error.message }, NOTHING))
  const follow = async (): Promise<void> => {
    const ending = await untilEnded(child)
    if (stopping !== null) return
    const tree = isNamespaced ? { ended: await counted, left: [] } : await end(LEFTOVER_GRACE_MS)
    if (stopping === null) answer(ending, tree)
  }
  void follow()
  return { root: trace?.root ?? null, report: done.promise, stop }
}

const NOTHING: EndedTree = { ended: 0, left: [] }

/** Read right after the start, while the process is certainly there: nobody has had time to wait for it. */
function traceOf({ pid }: ChildProcess, marker: string): CommandTrace | null {
  const root = pid === undefined ? null : readProcess(pid)
  if (root === null) return null
  return { root, marker, outputs: [...readChannel(root.pid, 1), ...readChannel(root.pid, 2)] }
}

/** Ended, and its output read as far as it comes by itself. */
function untilEnded(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, endedBy) => {
      const timer = setTimeout(() => resolve({ exitCode, endedBy }), FINISHING_MS)
      child.once('close', () => {
        clearTimeout(timer)
        resolve({ exitCode, endedBy })
      })
    })
  })
}

/** The number of processes that the end of a process namespace ended. */
async function readCount(child: ChildProcess): Promise<number> {
  const stream = child.stdio[3]
  if (stream === null || stream === undefined || !('read' in stream)) return 0
  let text = ''
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await new Promise((resolve) => stream.once('close', resolve))
  return Number.parseInt(text, 10) || 0
}
