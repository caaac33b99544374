import { join } from 'node:path'
import { createAgent } from '@longhaul/agent'
import type { Agent } from '@longhaul/agent'
import { PRESETS, createProseDocument } from '@longhaul/engine/advanced'
import type { Entry, SealedRequest } from '@longhaul/engine/advanced'
import { createModels } from '@longhaul/models'
import { createScriptedModel } from '@longhaul/models/testing'
import { createOwner, createSqliteStore, followEvents } from '@longhaul/store'
import type { Store } from '@longhaul/store'

export interface Latency {
  readonly messages: number
  readonly directMs: number
  /** By a session that its owner has open. */
  readonly warmMs: number
  /** By a session that is opened for it. */
  readonly coldMs: number
}

export interface LatencyInput {
  readonly folder: string
  readonly messages: number
  readonly runs: number
}

const MODEL = 'bench/bench'
const WINDOW_TOKENS = 128_000
/** What a compaction left, so that the request is one of ordinary size whatever lies behind it. */
const KEPT_MESSAGES = 40

export async function measureLatency({ folder, messages, runs }: LatencyInput): Promise<Latency> {
  let calledAt = 0
  const model = createScriptedModel(() => {
    calledAt = performance.now()
    return 'Fine.'
  })
  const info = { contextWindow: WINDOW_TOKENS, maxOutput: 8_192 }
  const models = createModels({ extra: { [MODEL]: { model, info } }, defaultModel: MODEL })
  const store = await createSqliteStore({ file: join(folder, `${messages}.db`) })
  const start = (): Agent =>
    createAgent({
      store,
      models,
      owner: createOwner(),
      policyFor: () => PRESETS.longhaul,
      toolsFor: async () => [],
      surroundingsFor: async () => ({ system: 'You help.', files: [] }),
      defaultModelFor: () => MODEL,
    })
  await store.sessions.create({ id: 'bench', createdAt: 0, entries: createEntries(messages) })

  const say = async (agent: Agent): Promise<number> => {
    const begin = performance.now()
    const { afterEvent } = await agent.send('bench', { text: 'And what about the next bed?' })
    await waitForDone(store, afterEvent)
    return calledAt - begin
  }
  const [direct, warm, cold]: [number[], number[], number[]] = [[], [], []]
  let agent = start()
  await say(agent)
  for (let run = 0; run < runs; run += 1) {
    direct.push(await callDirectly(models, () => calledAt))
    warm.push(await say(agent))
    if (run % 4 !== 0) continue
    await agent.close()
    agent = start()
    cold.push(await say(agent))
  }
  await agent.close()
  await store.close()
  return { messages, directMs: median(direct), warmMs: median(warm), coldMs: median(cold) }
}

/** The same request by hand: what the provider's library takes by itself. */
async function callDirectly(models: ReturnType<typeof createModels>, calledAt: () => number): Promise<number> {
  const parts = [{ type: 'text', text: 'The soil is dry. '.repeat(20) }] as const
  const turns: SealedRequest['messages'] = Array.from({ length: KEPT_MESSAGES + 1 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    parts,
  }))
  const request = { system: 'You help.', messages: turns, tools: [] }
  const begin = performance.now()
  for await (const _ of models.stream(MODEL, { request, maxOutputTokens: 8_192 }, new AbortController().signal));
  return calledAt() - begin
}

function createEntries(messages: number): readonly Entry[] {
  const entries: Entry[] = [{ type: 'model-change', seq: 1, id: 'e1', at: 0, model: MODEL }]
  for (let index = 0; index < messages; index += 1) {
    const seq = index + 2
    const parts = [{ type: 'text', text: `Note ${index}: ${'the soil is dry. '.repeat(20)}` }] as const
    entries.push({
      type: 'message',
      seq,
      id: `e${seq}`,
      at: index,
      role: index % 2 === 0 ? 'user' : 'assistant',
      parts,
    })
  }
  const seq = entries.length + 1
  const kept = entries[entries.length - KEPT_MESSAGES]
  if (kept === undefined) return entries
  entries.push({
    type: 'compaction',
    seq,
    id: `e${seq}`,
    at: messages,
    document: createProseDocument('The beds are dry.', []),
    fromSeq: kept.seq,
    firstKept: { id: kept.id, seq: kept.seq, at: kept.at },
    carried: [],
    previous: null,
    tokensBefore: 100_000,
    tokensAfter: 4_000,
    reason: 'threshold',
    strategy: 'longhaul',
    model: null,
  })
  entries.push({ type: 'settings', seq: seq + 1, id: `e${seq + 1}`, at: messages, title: 'The beds' })
  return entries
}

async function waitForDone(store: Store, after: number): Promise<void> {
  const stop = new AbortController()
  for await (const { event } of followEvents(store, 'bench', { after, signal: stop.signal })) {
    if (event['type'] === 'done') stop.abort()
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
