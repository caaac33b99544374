/** One command, as the supervisor is asked to run it. */
export interface CommandOrder {
  readonly id: string
  readonly file: string
  readonly arguments: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** The first process only stands around the command, in a process namespace, and reports on descriptor 3 what was left. */
  readonly isNamespaced: boolean
  /** A program that ends the command when ending its processes here does not, as with a container; null: none is needed. */
  readonly endWith: readonly string[] | null
}

interface LeftProcess {
  readonly pid: number
  readonly name: string
}

/** What came of a command. */
export interface CommandReport {
  readonly output: string
  /** Bytes of output that were not kept. */
  readonly droppedBytes: number
  /** How it ended by itself; null: it was stopped, or could not be started. */
  readonly exitCode: number | null
  readonly endedBy: NodeJS.Signals | null
  readonly stopped: 'time-out' | 'cancelled' | null
  /** Why it could not be started. */
  readonly problem: string | null
  /** Processes that it had left running and that were ended. */
  readonly endedProcesses: number
  readonly leftProcesses: readonly LeftProcess[]
}

export type ToSupervisor =
  | { readonly type: 'run'; readonly order: CommandOrder }
  | { readonly type: 'cancel'; readonly id: string }

export type FromSupervisor =
  | { readonly type: 'started'; readonly id: string; readonly pid: number; readonly startedAt: number }
  | { readonly type: 'ended'; readonly id: string; readonly report: CommandReport }

/** Stands in the environment of every process of a command, so that it is recognized wherever it went. */
export const MARKER_NAME = 'LONGHAUL_COMMAND'

/** How long a stopped command may take to end by itself. */
export const GRACE_MS = 1_000
