import { isCommand, runCommand } from '@longhaul/runtime'
import type { AgentEvent, Runtime } from '@longhaul/runtime'
import { renderResult } from '../cards/render-result.ts'
import { CliError } from '../program/cli-error.ts'
import { report } from '../program/invocation.ts'
import type { ExitCode, Invocation } from '../program/invocation.ts'
import { withRuntime } from '../system/open-system.ts'
import type { ChatOptions } from './chat-options.ts'
import { createEventPrinter } from './event-printer.ts'
import { followTurn } from './follow-turn.ts'
import { openSession } from './open-session.ts'
import type { OpenedSession } from './open-session.ts'
import { describeWelcome } from './welcome.ts'

/** One message, its reply on stdout. Failed if there was none. */
export async function runOneShot(invocation: Invocation, options: ChatOptions, message: string): Promise<ExitCode> {
  return withRuntime(invocation, async (runtime) => {
    const session = await openSession(runtime, options, invocation.signal)
    if (!isCommand(message)) return say(runtime, { invocation, session, message })
    const { agent, store, models, memory } = runtime
    const context = { agent, store, models, memory, sessionId: session.id, signal: invocation.signal }
    const result = await runCommand(message, context)
    report(invocation, result, () => renderResult(result, invocation.output))
    return 0
  })
}

interface Saying {
  readonly invocation: Invocation
  readonly session: OpenedSession
  readonly message: string
}

async function say(runtime: Runtime, { invocation, session, message }: Saying): Promise<ExitCode> {
  const { agent } = runtime
  const { output, signal, options } = invocation
  const isJson = options.json === true
  if (isJson) output.print(JSON.stringify({ type: 'session', turnId: null, id: session.id, isNew: session.isNew }))
  else if (session.isNew) {
    for (const line of describeWelcome(runtime, await agent.inspect(session.id))) output.note(output.paint.dim(line))
  }
  const { id: turnId, afterEvent } = await agent.send(session.id, { text: message })
  // Ctrl-C ends the turn, not the program: what came of it is stored and told first.
  const cancel = (): void => void agent.cancel(session.id).catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  const ended = new AbortController()
  const printer = createEventPrinter(invocation, (callId, allow) => agent.approve(session.id, callId, allow))
  let hasReply = false
  let failure: Extract<AgentEvent, { type: 'error' }> | null = null
  for await (const event of followTurn(runtime, { sessionId: session.id, turnId, afterEvent, signal: ended.signal })) {
    if (event.type === 'response-complete') hasReply = true
    if (event.type === 'error') failure = event
    await printer.show(event)
    // The owner failed as a whole; it tries again later, which nobody here waits for.
    if (event.type === 'error' && event.turnId === null) break
  }
  signal.removeEventListener('abort', cancel)
  printer.end()
  if (!isJson) output.note(output.paint.dim(`Go on with: longhaul chat --session ${session.id}`))
  if (hasReply) return 0
  throw new CliError(failure?.message ?? 'The turn was cancelled before it had a reply.')
}
