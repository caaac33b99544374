import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Variables } from '@longhaul/runtime/environment'
import { CliError } from '../program/cli-error.ts'

export interface ChildCommand {
  readonly program: string
  readonly words: readonly string[]
  readonly environment: Variables
}

/** A shell tells by these exit codes which signal ended a program. */
const SIGNAL_CODES = 128

/**
 * Runs a program with this terminal and resolves with its exit code. Ctrl-C reaches it from the terminal itself; a signal
 * that was sent to this process alone is handed on.
 */
export async function startChild({ program, words, environment }: ChildCommand): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: 'inherit', env: { ...environment } })
    const handOn = (signal: NodeJS.Signals): void => void child.kill(signal)
    process.on('SIGTERM', handOn).on('SIGHUP', handOn)
    const finish = (): void => void process.off('SIGTERM', handOn).off('SIGHUP', handOn)
    child.once('error', (error) => {
      finish()
      reject(new CliError(`${program} could not be started: ${error.message}`))
    })
    child.once('exit', (code, signal) => {
      finish()
      resolve(code ?? SIGNAL_CODES + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}
