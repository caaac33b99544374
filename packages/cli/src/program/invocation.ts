import type { Variables } from '@longhaul/runtime/environment'
import type { Output } from '../terminal/output.ts'

/** What every command takes. */
export interface SharedOptions {
  readonly data?: string
  readonly config?: string
  readonly store?: string
  readonly json?: true
  readonly verbose?: true
}

/** One run of the program. */
export interface Invocation {
  readonly options: SharedOptions
  readonly output: Output
  /** All variables, those too that the process itself was started without. */
  readonly environment: Variables
  /** Ends with Ctrl-C. */
  readonly signal: AbortSignal
  /** From now on signals end another program, which has the terminal, and this one goes on until that has ended. */
  readonly leaveSignals: () => void
}

/** 0: done; 1 or 2: not, for a reason that has been told. A program that was run hands on its own code. */
export type ExitCode = number

/** Prints what came of a command: the value as JSON, or its lines. */
export function report({ options, output }: Invocation, value: unknown, lines: () => readonly string[]): void {
  if (options.json === true) output.print(JSON.stringify(value, null, 2))
  else for (const line of lines()) output.print(line)
}
