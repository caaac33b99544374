import { redactSecrets } from '@longhaul/engine'
import type { JsonObject, ToolCallPart } from '@longhaul/engine'
import type { ActiveSession } from '../session/active-session.ts'

/** Questions to a person that wait for an answer. Each is told and logged with what came of it. */
export interface Approvals {
  /** Resolves with the answer; with no after the time-out or when the turn is cancelled. */
  readonly ask: (call: ToolCallPart, reason: string, turnId: string, signal: AbortSignal) => Promise<boolean>
  /** An answer that nobody waits for is passed over. */
  readonly answer: (callId: string, allow: boolean) => void
}

export function createApprovals(session: ActiveSession): Approvals {
  const waiting = new Map<string, (allow: boolean) => void>()
  return {
    ask(call, reason, turnId, signal) {
      const { toolCallId: id, toolName: name, input } = call
      return new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => end(false, 'time-out'), session.agent.approvalTimeoutMs)
        const cancel = (): void => end(false, 'cancel')
        function end(allow: boolean, by: 'person' | 'time-out' | 'cancel'): void {
          clearTimeout(timer)
          signal.removeEventListener('abort', cancel)
          waiting.delete(id)
          session.events.emit(turnId, { type: 'approval-settled', id, name, allow, by })
          const message = `${name} was ${allow ? 'allowed' : 'not allowed'} (${by}).`
          session.agent.log({
            level: 'info',
            event: 'approval',
            message,
            toolCallId: id,
            input: describeInput(input),
            allow,
            by,
          })
          resolve(allow)
        }
        waiting.set(id, (allow) => end(allow, 'person'))
        signal.addEventListener('abort', cancel, { once: true })
        session.events.emit(turnId, { type: 'approval-needed', id, name, input, reason })
        if (signal.aborted) cancel()
      })
    },
    answer: (callId, allow) => waiting.get(callId)?.(allow),
  }
}

const LOGGED_CHARS = 500

/** Logs are read by more people than conversations are. */
function describeInput(input: JsonObject): string {
  return redactSecrets(JSON.stringify(input)).slice(0, LOGGED_CHARS)
}
