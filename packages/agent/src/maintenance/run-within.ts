import type { ToolCallPart } from '@longhaul/engine/advanced'
import type { Tool, ToolContext, ToolOutcome } from '@longhaul/tools/port'
import { findOrigins } from '../memory/find-origins.ts'
import type { SeenContext } from '../memory/find-origins.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { isParked } from '../session/park.ts'

export interface RunInput extends Pick<ToolContext, 'signal' | 'isApproved' | 'approvedReason'> {
  /** The conversation as the model saw it when it made the call. */
  readonly seen: SeenContext
}

/** Ends with the signal and after the time for tools, whether the tool listens or not. Its own arguments may give it more. */
export async function runWithin(
  session: ActiveSession,
  tool: Tool,
  call: ToolCallPart,
  { signal: cancelled, seen, ...approval }: RunInput,
): Promise<ToolOutcome> {
  const limitMs = Math.max(session.agent.toolTimeoutMs, tool.timeLimitMs?.(call.input) ?? 0)
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(limitMs)])
  const stopped = new Promise<ToolOutcome>((resolve) => {
    const stop = (): void =>
      resolve(
        refuse(
          cancelled.aborted
            ? `Stopped: ${whyAborted(cancelled)}. What it had done by then is unknown.`
            : `Stopped after ${limitMs / 1000} s. What it had done by then is unknown.`,
        ),
      )
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  const context: ToolContext = {
    sessionId: session.id,
    toolCallId: call.toolCallId,
    ...approval,
    signal,
    originsOf: (texts) => findOrigins(seen, texts, (id) => session.agent.store.entries.find(session.id, id)),
  }
  return Promise.race([tool.run(call.input, context), stopped])
}

export function whyAborted(signal: AbortSignal): string {
  return isParked(signal) ? 'the program was shut down' : 'the user cancelled'
}

export function refuse(output: string): ToolOutcome {
  return { output, isError: true }
}
