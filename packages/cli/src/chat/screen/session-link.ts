import { randomUUID } from 'node:crypto'
import { followSession } from '@longhaul/runtime'
import type { AgentEvent, Runtime } from '@longhaul/runtime'
import { applyEvent } from '../conversation/apply-event.ts'
import { addMessage, dropMessage } from '../conversation/conversation.ts'
import type { StateHolder } from './chat-state.ts'
import { findMessageText } from './find-message-text.ts'
import { createStatusReader } from './status-reader.ts'

/** The session that is on the screen: what happens in it is shown, what is typed goes to it. */
export interface SessionLink {
  readonly id: () => string
  /** Another one, after `/new`. */
  open(id: string): Promise<void>
  send(text: string): Promise<void>
  refreshStatus(): void
  close(): void
}

export interface SessionLinkInput {
  readonly runtime: Runtime
  readonly holder: StateHolder
  readonly isVerbose: boolean
}

export function createSessionLink({ runtime, holder, isVerbose }: SessionLinkInput): SessionLink {
  const { agent, store } = runtime
  let sessionId = ''
  let following = new AbortController()
  const own = new Set<string>()
  const reader = createStatusReader(
    runtime,
    () => sessionId,
    (status) => holder.set({ status }),
  )

  async function follow(id: string, after: number, signal: AbortSignal): Promise<void> {
    for await (const { event } of followSession(runtime, id, { after, signal })) {
      const one = event as unknown as AgentEvent
      // Typed in another terminal or in the browser.
      if (one.type === 'message-stored' && !own.has(one.id)) {
        const text = await findMessageText(store, id, one.id)
        holder.change((now) => addMessage(now, { id: one.id, text }))
      }
      holder.change((now) => applyEvent(now, one, isVerbose))
      if (CHANGES_STATUS.has(one.type)) reader.refresh()
    }
  }

  return {
    id: () => sessionId,
    async open(id) {
      following.abort()
      following = new AbortController()
      sessionId = id
      void follow(id, await store.events.getLastId(id), following.signal).catch(holder.fail)
      // What was left unanswered when somebody closed it is answered now.
      await agent.resume(id)
      reader.refresh()
    },
    async send(text) {
      const id = randomUUID()
      own.add(id)
      holder.change((now) => addMessage(now, { id, text }))
      try {
        await agent.send(sessionId, { id, text })
      } catch (error) {
        holder.change((now) => dropMessage(now, id))
        holder.fail(error)
      }
    },
    refreshStatus: () => reader.refresh(),
    close: () => following.abort(),
  }
}

/** After these the gauge, the counters or the costs may be others. */
const CHANGES_STATUS: ReadonlySet<AgentEvent['type']> = new Set([
  'message-stored',
  'tool-result',
  'usage',
  'response-complete',
  'compact-completed',
  'context-trimmed',
  'request-settled',
  'entries-added',
  'titled',
  'error',
  'done',
])
