import { UsageError } from '../program/usage-error.ts'

/** Asks for a yes on the terminal; where nobody can answer, the option that says it must be given. */
export async function askFor(question: string, option: string): Promise<boolean> {
  if (!canAsk()) throw new UsageError(`${question} Nobody can be asked here; say ${option} if it is meant.`)
  const { confirm } = await import('@clack/prompts')
  const answer = await confirm({ message: question, initialValue: false, output: process.stderr })
  return answer === true
}

export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}
