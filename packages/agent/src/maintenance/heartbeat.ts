import { createManifest, createView, sealRequest } from '@longhaul/engine/advanced'
import type { ActiveSession } from '../session/active-session.ts'
import type { Budget } from './budget.ts'

/** Keeps a provider's prompt cache warm while nobody writes: the same prefix is sent again before it runs out. */
export interface Heartbeat {
  /** null: none is due, now or later. */
  dueInMs(): Promise<number | null>
  /** Never throws. */
  beat(signal: AbortSignal): Promise<void>
}

/** After this many without a word from the user, the cache may go cold: keeping it costs more than filling it again. */
const MAX_BEATS = 12
const OUTPUT_TOKENS = 16

export function createHeartbeat(session: ActiveSession, budget: Budget): Heartbeat {
  let beats = 0
  let hasFailed = false
  session.log.onAppend((entries) => {
    if (!entries.some(({ type }) => type === 'message')) return
    beats = 0
    hasFailed = false
  })
  return {
    async dueInMs() {
      const { every } = session.policy().heartbeat
      const { lastCall } = session.log.state().head
      if (every === null || lastCall === null || hasFailed || beats >= MAX_BEATS) return null
      if (!(await budget.hasMoney())) return null
      return Math.max(0, lastCall.at + every - session.agent.now())
    },
    async beat(signal) {
      beats += 1
      const { models, log } = session.agent
      const context = session.context()
      const view = createView(context.state, context.policy)
      const request = sealRequest({
        view,
        context: { ...context, estimator: context.policy.estimator },
        maxTokens: context.limits?.inputTokens ?? null,
        maxBytes: null,
      })
      const explained = { number: 0, at: session.agent.now(), view, sealed: request, numbers: null }
      const number = await session.journal.note(createManifest({ ...explained, purpose: 'heartbeat' }))
      const call = { request, maxOutputTokens: OUTPUT_TOKENS, maxRetries: 0, cacheKey: session.id }
      for await (const event of models.stream(session.model(), call, signal)) {
        if (event.type === 'finish') session.journal.settle(number, event.finish, event.usage)
        if (event.type === 'failure') session.journal.settle(number, event.failure.kind, event.usage)
        if (event.type === 'finish' && event.usage !== null) {
          await session.log.append([{ type: 'bill', work: 'heartbeat', model: session.model(), usage: event.usage }])
        } else if (event.type === 'finish' || event.type === 'failure') {
          hasFailed = true
          const why = event.type === 'failure' ? event.failure.message : 'the provider reports no usage'
          log({ level: 'info', event: 'heartbeat-stopped', message: `The cache is not kept warm any more: ${why}` })
        }
      }
    },
  }
}
