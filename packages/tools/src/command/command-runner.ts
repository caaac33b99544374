import { randomUUID } from 'node:crypto'
import type { ToolOutcome } from '../port/tool.ts'
import { chooseBoundary, listBoundaries } from './boundaries/choose-boundary.ts'
import type { ChosenBoundary } from './boundaries/choose-boundary.ts'
import type { Boundary, BoundaryOptions, SandboxSettings } from './boundaries/boundary.ts'
import { describeReport } from './describe-report.ts'
import { endTree } from './processes/end-tree.ts'
import { GRACE_MS, MARKER_NAME } from './supervisor/command-order.ts'
import type { CommandOrder, CommandReport } from './supervisor/command-order.ts'
import { runEndProgram } from './supervisor/run-end-program.ts'
import { SupervisorLost, startSupervisor } from './supervisor/supervisor-link.ts'
import type { OrderedCommand, SupervisorLink } from './supervisor/supervisor-link.ts'

export interface CommandRunnerOptions extends Partial<SandboxSettings> {
  /** The folder that commands run in. */
  readonly folder: string
  /** All variables that commands see. */
  readonly environment: Readonly<Record<string, string>>
  /** Files and folders that are kept from commands where the sandbox can: data, configuration. */
  readonly hidden?: readonly string[]
}

export interface CommandRun {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Runs commands under a process of their own, which holds no secret and lets none of their processes live on. */
export interface CommandRunner {
  readonly run: (command: string, run: CommandRun) => Promise<ToolOutcome>
  /** Starts that process ahead of the first command. */
  readonly warm: () => void
  /** The boundary that commands run in, or why they cannot be run. Found out once, and again as long as none works. */
  readonly boundary: () => Promise<ChosenBoundary>
  /** What a command can reach, in words for the person who is asked. */
  readonly reach: () => Promise<string>
  /** Ends every command. */
  readonly close: () => Promise<void>
}

/** A supervisor that is silent for longer than it needs to end a command is given up. */
const SILENCE_MS = 2_500

/** The longest time that a command takes to be ended and answered after its time-out. */
export const MAX_ENDING_MS = GRACE_MS + SILENCE_MS + 1_500

export function createCommandRunner(options: CommandRunnerOptions): CommandRunner {
  const { folder, environment } = options
  const wishes: BoundaryOptions = { sandbox: 'auto', hidden: [], ...options }
  let chosen: Promise<ChosenBoundary> | null = null
  let link: SupervisorLink | null = null
  let isClosed = false

  const boundary = async (): Promise<ChosenBoundary> => {
    const found = await (chosen ??= chooseBoundary(wishes))
    // What is missing now may be installed or started by the next time.
    if ('problem' in found) chosen = null
    return found
  }
  const supervisor = (): SupervisorLink => (link = link?.isOpen() === true ? link : startSupervisor(environment))

  async function runIn(around: Boundary, command: string, { timeoutMs, signal }: CommandRun): Promise<CommandReport> {
    const id = randomUUID()
    const wrapped = around.wrap(command, id)
    const order = { id, ...wrapped, folder, environment, timeoutMs, isNamespaced: around.isNamespaced }
    const running = supervisor()
    const ordered = running.run(order)
    // A command may have stopped or blocked the supervisor itself.
    let guard = setTimeout(running.kill, timeoutMs + GRACE_MS + SILENCE_MS)
    const cancel = (): void => {
      ordered.cancel()
      clearTimeout(guard)
      guard = setTimeout(running.kill, GRACE_MS + SILENCE_MS)
    }
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await ordered.report
    } catch (error) {
      if (!(error instanceof SupervisorLost)) throw error
      return await hunt(order, ordered, error.message)
    } finally {
      clearTimeout(guard)
      signal.removeEventListener('abort', cancel)
    }
  }

  return {
    async run(command, run) {
      const found = await boundary()
      if ('problem' in found) return { output: `Not run: ${found.problem}`, isError: true }
      if (run.signal.aborted || isClosed) return { output: '[stopped: cancelled]', isError: true }
      return describeReport(await runIn(found.boundary, command, run), run.timeoutMs)
    },
    warm() {
      if (!isClosed) supervisor()
    },
    boundary,
    async reach() {
      // With a name there is only one, and whether it works is told when the command is run.
      const [only, ...others] = listBoundaries(wishes)
      if (only !== undefined && others.length === 0) return only.reach
      const found = await boundary()
      return 'problem' in found ? '' : found.boundary.reach
    },
    async close() {
      isClosed = true
      await link?.close()
    },
  }
}

/** The supervisor is gone in the middle of a command: whatever the command started is ended from here. */
async function hunt(order: CommandOrder, ordered: OrderedCommand, reason: string): Promise<CommandReport> {
  if (order.endWith !== null) await runEndProgram(order.endWith, order.environment)
  // Lost before it told which process it was, the command is known by its marker alone.
  const root = ordered.root() ?? { pid: -1, startedAt: 0 }
  const { left } = await endTree({ root, marker: `${MARKER_NAME}=${order.id}`, outputs: [] }, { graceMs: 0 })
  return {
    output: '',
    droppedBytes: 0,
    exitCode: null,
    endedBy: null,
    stopped: null,
    problem: `the process that runs commands was lost: ${reason}; what the command had done by then is unknown`,
    endedProcesses: 0,
    leftProcesses: left.map(({ pid, name }) => ({ pid, name })),
  }
}
