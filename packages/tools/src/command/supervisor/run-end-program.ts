import { spawn } from 'node:child_process'

/** A container engine that does not answer within this time is not waited for any longer. */
const END_PROGRAM_MS = 1_000

/** Runs the program that ends a command from outside, as `docker kill` does. Never fails. */
export async function runEndProgram(
  [file = '', ...words]: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const child = spawn(file, words, { env: environment, stdio: 'ignore', detached: true })
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, END_PROGRAM_MS)
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    child.once('error', end)
    child.once('exit', end)
  })
}
