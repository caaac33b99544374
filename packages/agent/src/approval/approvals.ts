import type { ToolCallPart } from '@longhaul/engine'
import type { ActiveSession } from '../session/active-session.ts'

/** Questions to a person that wait for an answer. */
export interface Approvals {
  /** Resolves with the answer; with no after the time-out or when the turn is cancelled. */
  readonly ask: (call: ToolCallPart, reason: string, turnId: string, signal: AbortSignal) => Promise<boolean>
  /** False: nobody waits for this answer. */
  readonly answer: (callId: string, allow: boolean) => boolean
}

export function createApprovals(session: ActiveSession): Approvals {
  const waiting = new Map<string, (allow: boolean) => void>()
  return {
    ask(call, reason, turnId, signal) {
      const { toolCallId: id, toolName: name, input } = call
      return new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => end(false), session.agent.approvalTimeoutMs)
        const cancel = (): void => end(false)
        function end(allow: boolean): void {
          clearTimeout(timer)
          signal.removeEventListener('abort', cancel)
          waiting.delete(id)
          resolve(allow)
        }
        waiting.set(id, end)
        signal.addEventListener('abort', cancel, { once: true })
        session.events.emit(turnId, { type: 'approval-needed', id, name, input, reason })
        if (signal.aborted) end(false)
      })
    },
    answer(callId, allow) {
      const end = waiting.get(callId)
      end?.(allow)
      return end !== undefined
    },
  }
}
