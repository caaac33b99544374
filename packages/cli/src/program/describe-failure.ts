import { CommanderError } from 'commander'

/** One line a problem, without a stack unless it was asked for. What the parser refuses, it has told itself. */
export function describeFailure(error: unknown, isVerbose: boolean): readonly string[] {
  if (error instanceof CommanderError) return []
  if (!(error instanceof Error)) return [`longhaul: ${String(error)}`]
  if (isVerbose) return [`longhaul: ${error.stack ?? error.message}`, ...describeCause(error.cause)]
  // A broken configuration has a line for each thing that is wrong with it.
  const [first = '', ...rest] = error.message.trim().split('\n')
  return [`longhaul: ${first}`, ...rest]
}

function describeCause(cause: unknown): readonly string[] {
  if (!(cause instanceof Error)) return []
  return [`because: ${cause.stack ?? cause.message}`, ...describeCause(cause.cause)]
}
