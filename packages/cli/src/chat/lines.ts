import { createInterface } from 'node:readline'
import { isCommand, readOwed, runCommand } from '@longhaul/runtime'
import type { Runtime } from '@longhaul/runtime'
import { renderResult } from '../cards/render-result.ts'
import type { ExitCode, Invocation } from '../program/invocation.ts'
import { withRuntime } from '../system/open-system.ts'
import type { ChatOptions } from './chat-options.ts'
import { createEventPrinter } from './event-printer.ts'
import { followTurn } from './follow-turn.ts'
import type { TurnToFollow } from './follow-turn.ts'
import { openSession } from './open-session.ts'
import { describeWelcome } from './welcome.ts'

/** A chat without drawing: one line in, a reply out; for pipes, logs and terminals that can do nothing else. */
export async function runLines(invocation: Invocation, options: ChatOptions): Promise<ExitCode> {
  const { output, signal } = invocation
  return withRuntime(invocation, async (runtime): Promise<ExitCode> => {
    let { id } = await openSession(runtime, options, signal)
    for (const line of describeWelcome(runtime, await runtime.agent.inspect(id))) output.note(line)
    await goOn(runtime, invocation, id).catch((error: unknown) => output.note(messageOf(error)))
    const lines = createInterface({ input: process.stdin, terminal: false, signal })
    const prompt = (): void => void (process.stdin.isTTY && process.stderr.write('> '))
    prompt()
    for await (const line of lines) {
      if (line.trim() !== '') id = await answer(runtime, invocation, id, line)
      if (signal.aborted) break
      prompt()
    }
    output.note(output.paint.dim(`Go on with: longhaul chat --session ${id}`))
    return 0
  })
}

/** What was left unanswered when somebody closed it, or when its process died, is answered first. */
async function goOn(runtime: Runtime, invocation: Invocation, sessionId: string): Promise<void> {
  const { agent, store } = runtime
  // Asked first: another process may end the turn meanwhile, and its end must lie behind this.
  const afterEvent = await store.events.getLastId(sessionId)
  const owed = await readOwed(store, sessionId)
  if (owed === null) return
  invocation.output.note('Your last message has no answer yet: going on with it.')
  await agent.resume(sessionId)
  await showTurn(runtime, invocation, { sessionId, turnId: owed.id, afterEvent })
}

async function showTurn(runtime: Runtime, invocation: Invocation, turn: Omit<TurnToFollow, 'signal'>): Promise<void> {
  const { output, signal } = invocation
  const { agent } = runtime
  const printer = createEventPrinter(invocation, (callId, allow) => agent.approve(turn.sessionId, callId, allow))
  for await (const event of followTurn(runtime, { ...turn, signal })) {
    await printer.show(event)
    if (event.type === 'error') output.note(event.message)
  }
  printer.end()
}

/** The session that goes on: another one after `/new`. */
async function answer(runtime: Runtime, invocation: Invocation, sessionId: string, line: string): Promise<string> {
  const { agent, store, models, memory } = runtime
  const { output, signal } = invocation
  try {
    if (isCommand(line)) {
      const result = await runCommand(line, { agent, store, models, memory, sessionId, signal })
      for (const each of renderResult(result, output)) output.print(each)
      return result.command === 'new' ? result.session.id : sessionId
    }
    const { id: turnId, afterEvent } = await agent.send(sessionId, { text: line })
    await showTurn(runtime, invocation, { sessionId, turnId, afterEvent })
  } catch (error) {
    output.note(messageOf(error))
  }
  return sessionId
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
