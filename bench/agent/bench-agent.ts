import { createAgent } from '@longhaul/agent'
import type { Agent, AgentOptions } from '@longhaul/agent'
import type { Entry, Message } from '@longhaul/engine'
import { compaction, transcript } from '@longhaul/engine/testing'
import { createModels } from '@longhaul/models'
import { createScriptedModel } from '@longhaul/models/testing'
import { createOwner, createSqliteStore, followEvents } from '@longhaul/store'

export interface BenchAgent {
  readonly models: ReturnType<typeof createModels>
  /** When the provider was called last. */
  calledAt(): number
  /** Summaries that were asked for. None is ever answered. */
  summaries(): number
  create(sessionId: string, messages: number): Promise<void>
  /** Milliseconds from a message to the call of the provider. Resolves at an event: a turn is done only after the compaction it began. */
  say(sessionId: string, until: 'response-complete' | 'done'): Promise<number>
  /** Gives all sessions back: the next message opens its session anew. */
  restart(): Promise<void>
  close(): Promise<void>
}

export const MODEL = 'bench/bench'
export const SYSTEM = 'You help.'
const WINDOW_TOKENS = 128_000
/** Messages that a compaction left, so that the request is one of ordinary size whatever lies behind it. */
export const KEPT_MESSAGES = 40

export async function openBenchAgent(file: string, policyFor: AgentOptions['policyFor']): Promise<BenchAgent> {
  let calledAt = 0
  let summaries = 0
  const model = createScriptedModel(({ prompt }) => {
    if (prompt[0]?.role === 'system' && prompt[0].content === SYSTEM) {
      calledAt = performance.now()
      return 'Fine.'
    }
    summaries += 1
    return { hangs: true }
  })
  const info = { contextWindow: WINDOW_TOKENS, maxOutput: 8_192 }
  const models = createModels({ extra: { [MODEL]: { model, info } }, defaultModel: MODEL })
  const store = await createSqliteStore({ file })
  const start = (): Agent =>
    createAgent({
      store,
      models,
      owner: createOwner(),
      policyFor,
      toolsFor: async () => [],
      surroundingsFor: async () => ({ system: SYSTEM, files: [] }),
      defaultModelFor: () => MODEL,
    })
  let agent = start()
  return {
    models,
    calledAt: () => calledAt,
    summaries: () => summaries,
    async create(id, messages) {
      await store.sessions.create({ id, createdAt: 0, entries: createEntries(messages) })
    },
    async say(sessionId, until) {
      const begin = performance.now()
      const { afterEvent: after } = await agent.send(sessionId, { text: 'And what about the next bed?' })
      const stop = new AbortController()
      for await (const { event } of followEvents(store, sessionId, { after, signal: stop.signal })) {
        if (event['type'] === until) stop.abort()
      }
      return calledAt - begin
    },
    async restart() {
      await agent.close()
      agent = start()
    },
    async close() {
      await agent.close()
      await store.close()
    },
  }
}

function createEntries(messages: number): readonly Entry[] {
  const notes = Array.from({ length: messages }, (_, index): Message => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    parts: [{ type: 'text', text: `Note ${index}: ${'the soil is dry. '.repeat(20)}` }],
  }))
  return transcript(
    { type: 'model-change', model: MODEL },
    ...notes,
    compaction({ fromSeq: messages + 2 - KEPT_MESSAGES, text: 'The beds are dry.' }),
    { type: 'settings', title: 'The beds' },
  )
}
