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
}

/** Done, or not for a reason that has been told. What throws has failed as well. */
export type ExitCode = 0 | 1 | 2

/** Prints what came of a command: the value as JSON, or its lines. */
export function report({ options, output }: Invocation, value: unknown, lines: () => readonly string[]): void {
  if (options.json === true) output.print(JSON.stringify(value, null, 2))
  else for (const line of lines()) output.print(line)
}
