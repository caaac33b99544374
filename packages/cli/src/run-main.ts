import type { Variables } from '@longhaul/runtime/environment'
import { CommanderError } from 'commander'
import { createProgram } from './program/create-program.ts'
import { describeFailure } from './program/describe-failure.ts'
import type { ExitCode, Invocation } from './program/invocation.ts'
import { UsageError } from './program/usage-error.ts'
import { createOutput } from './terminal/output.ts'

/** Runs the program with these words and sets the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runMain(words: readonly string[], environment: Variables): Promise<void> {
  leaveQuietlyWithoutReader()
  const { signal, leaveSignals } = listenForSignals()
  const output = createOutput()
  const program = createProgram({ output, environment, signal, leaveSignals })
  // Waiting for another process is no reason for Node to stay: without this it would leave in the middle, and say nothing.
  const staying = setInterval(() => undefined, 2 ** 30)
  try {
    process.exitCode = await program.run(words)
  } catch (error) {
    const isVerbose = words.includes('--verbose')
    for (const line of describeFailure(error, isVerbose)) output.note(line)
    process.exitCode = codeOf(error)
  } finally {
    clearInterval(staying)
  }
}

function codeOf(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  return error instanceof UsageError ? 2 : 1
}

/** The first signal ends what is under way in an orderly manner, the second one at once. */
function listenForSignals(): Pick<Invocation, 'signal' | 'leaveSignals'> {
  const stopping = new AbortController()
  let isLeft = false
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (isLeft) return
      if (stopping.signal.aborted) process.exit(1)
      stopping.abort()
    })
  }
  return { signal: stopping.signal, leaveSignals: () => void (isLeft = true) }
}

/** `longhaul … | head` is no mistake. */
function leaveQuietlyWithoutReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}
