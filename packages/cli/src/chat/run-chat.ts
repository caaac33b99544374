import type { ExitCode, Invocation } from '../program/invocation.ts'
import { UsageError } from '../program/usage-error.ts'
import type { ChatOptions } from './chat-options.ts'
import { readPiped } from './read-piped.ts'

/** On the screen where there is one; one turn with a message or piped input; line by line for the rest. */
export async function runChat(invocation: Invocation, options: ChatOptions): Promise<ExitCode> {
  const isPiped = !process.stdin.isTTY
  if (options.message !== undefined || (isPiped && options.plain !== true)) {
    const { runOneShot } = await import('./one-shot.ts')
    return runOneShot(invocation, options, await readMessage(options, isPiped))
  }
  if (invocation.options.json === true) throw new UsageError('--json needs --message or piped input.')
  if (options.plain === true || !process.stdout.isTTY || process.env['TERM'] === 'dumb') {
    const { runLines } = await import('./lines.ts')
    return runLines(invocation, options)
  }
  const { runScreen } = await import('./screen/run-screen.ts')
  return runScreen(invocation, options)
}

/** What was piped is what the message is about; by itself, it is the message. */
async function readMessage({ message = '' }: ChatOptions, isPiped: boolean): Promise<string> {
  const piped = isPiped ? await readPiped(message === '') : ''
  const text = [message, piped].filter((part) => part.trim() !== '').join('\n\n')
  if (text === '') throw new UsageError('There is no message: --message is empty and nothing was piped.')
  return text
}
