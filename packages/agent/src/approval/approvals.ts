import { redactSecrets } from '@longhaul/engine/advanced'
import type { JsonObject, ToolApproval, ToolCallPart } from '@longhaul/engine/advanced'
import type { ActiveSession } from '../session/active-session.ts'
import { isParked } from '../session/park.ts'
import { displayCall } from './display-call.ts'

/**
 * Questions to a person that wait for an answer. Each is told and logged with what came of it; the transcript has it with
 * the result of the call.
 */
export interface Approvals {
  /** Resolves with the answer; with no after the time-out or when the turn is cancelled. */
  readonly ask: (call: ToolCallPart, reason: string, turnId: string, signal: AbortSignal) => Promise<ToolApproval>
  /** An answer that nobody waits for is passed over. */
  readonly answer: (callId: string, allow: boolean) => void
  /** From now on no answer counts before its question. */
  readonly expectNone: () => void
}

/** `expected` will be asked for again: an answer to the owner before, which that one never saw, counts for them. */
export function createApprovals(session: ActiveSession, expected: readonly ToolCallPart[]): Approvals {
  const waiting = new Map<string, (allow: boolean) => void>()
  /** Those expected, with the answer that came before the question. */
  const early = new Map<string, boolean | null>(expected.map(({ toolCallId }) => [toolCallId, null]))
  return {
    ask(call, reason, turnId, signal) {
      const { toolCallId: id, toolName: name, input } = call
      return new Promise<ToolApproval>((resolve) => {
        const timer = setTimeout(() => end(false, 'time-out'), session.agent.approvalTimeoutMs)
        const cancel = (): void => end(false, 'cancel')
        function end(allow: boolean, by: ToolApproval['by']): void {
          clearTimeout(timer)
          signal.removeEventListener('abort', cancel)
          waiting.delete(id)
          resolve({ allow, by })
          // Not settled: the next owner asks again.
          if (isParked(signal)) return
          session.events.emit(turnId, { type: 'approval-settled', id, name, allow, by })
          const message = `${name} was ${allow ? 'allowed' : 'not allowed'} (${by}).`
          const asked = { toolCallId: id, input: describeInput(input), allow, by }
          session.agent.log({ level: 'info', event: 'approval', message, ...asked })
        }
        waiting.set(id, (allow) => end(allow, 'person'))
        signal.addEventListener('abort', cancel, { once: true })
        session.events.emit(turnId, {
          type: 'approval-needed',
          id,
          name,
          input,
          reason,
          display: displayCall(call, reason),
        })
        const given = early.get(id) ?? null
        early.delete(id)
        if (signal.aborted) cancel()
        else if (given !== null) end(given, 'person')
      })
    },
    answer(callId, allow) {
      if (early.has(callId)) early.set(callId, early.get(callId) ?? allow)
      else waiting.get(callId)?.(allow)
    },
    expectNone: () => early.clear(),
  }
}

const LOGGED_CHARS = 500

/** Logs are read by more people than conversations are. */
function describeInput(input: JsonObject): string {
  return redactSecrets(JSON.stringify(input)).slice(0, LOGGED_CHARS)
}
