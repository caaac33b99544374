import { PRESETS, isPresetName, parsePolicy } from '@longhaul/engine/advanced'
import type { ContextPolicy, Entry, JsonObject, MessageEntry } from '@longhaul/engine/advanced'
import { createModels } from '@longhaul/models'
import type { Models } from '@longhaul/models/port'
import { createScriptedModel } from '@longhaul/models/testing'
import type { Script, ScriptedModel, ScriptedModelOptions } from '@longhaul/models/testing'
import { createInMemoryStore, createOwner, followEvents } from '@longhaul/store'
import type { Store } from '@longhaul/store/port'
import type { Tool } from '@longhaul/tools/port'
import { createAgent } from '../create-agent.ts'
import type { Agent } from '../create-agent.ts'
import { createMemory } from '../memory/create-memory.ts'
import { createMemoryTools } from '../memory/tools/memory-tools.ts'
import { createRecallTools } from '../memory/tools/recall-tools.ts'
import type { AgentEvent } from '../port/agent-event.ts'
import type { AgentOptions, LogLine, SessionSettings } from '../port/agent-options.ts'
import { textOfParts } from '../session/text-of-parts.ts'

export interface AgentUnderTest {
  readonly agent: Agent
  readonly store: Store
  readonly model: ScriptedModel
  readonly lines: readonly LogLine[]
  /** Sends a message and waits until its turn is over, maintenance included. */
  readonly say: (sessionId: string, text: string, id?: string) => Promise<readonly AgentEvent[]>
  readonly entries: (sessionId: string) => Promise<readonly Entry[]>
  readonly close: () => Promise<void>
}

export interface StartOptions extends Partial<AgentOptions> {
  readonly script?: Script
  readonly scripted?: ScriptedModelOptions
  readonly windowTokens?: number | null
  readonly maxOutput?: number
  /** US dollars for a million tokens. Default: nobody knows. */
  readonly price?: { readonly input: number; readonly output: number }
  readonly preset?: string
  readonly policy?: JsonObject
  readonly ownTools?: readonly Tool[]
  readonly system?: string
}

const SCRIPTED_MODEL = 'scripted/scripted'

/** An agent on a real store with a scripted model: everything between them is the real thing. */
export function startAgent(options: StartOptions = {}): AgentUnderTest {
  const { script = () => 'Fine.', scripted = {}, windowTokens = 32_000, maxOutput = 4_096, ownTools = [] } = options
  const store = options.store ?? createInMemoryStore()
  const model = createScriptedModel(script, scripted)
  const info = { contextWindow: windowTokens, maxOutput, ...(options.price && { price: options.price }) }
  const models: Models =
    options.models ?? createModels({ extra: { [SCRIPTED_MODEL]: { model, info } }, defaultModel: SCRIPTED_MODEL })
  const lines: LogLine[] = []
  const memory = createMemory({ store: store.memory, folder: null, now: Date.now, today: () => '2026-11-15' })
  const agent = createAgent({
    store,
    models,
    owner: createOwner(),
    policyFor: (settings) => policyOf(settings, options),
    toolsFor: async ({ sessionId }) => [
      ...createMemoryTools(memory),
      ...createRecallTools(store, sessionId),
      ...ownTools,
    ],
    surroundingsFor: async () => ({ system: options.system ?? 'You help.', files: [] }),
    defaultModelFor: () => models.defaultModel,
    today: () => '2026-11-15',
    log: (line) => void lines.push(line),
    ...options,
  })
  return {
    agent,
    store,
    model,
    lines,
    async say(sessionId, text, id) {
      const accepted = await agent.send(sessionId, { text, ...(id === undefined ? {} : { id }) })
      return collectTurn(store, sessionId, accepted.id, accepted.afterEvent)
    },
    entries: (sessionId) => store.entries.read(sessionId, {}),
    async close() {
      await agent.close()
      await store.close()
    },
  }
}

function policyOf({ preset, policy }: SessionSettings, options: StartOptions): ContextPolicy {
  const name = preset ?? options.preset ?? 'longhaul'
  if (!isPresetName(name)) throw new Error(`no preset ${name}`)
  return parsePolicy(PRESETS[name], options.policy, policy)
}

/** The events of one turn, from its first to its `done`. */
export async function collectTurn(
  store: Store,
  sessionId: string,
  turnId: string,
  after: number,
): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = []
  const stop = new AbortController()
  for await (const { event } of followEvents(store, sessionId, { after, signal: stop.signal })) {
    const agentEvent = event as unknown as AgentEvent
    if (agentEvent.turnId !== turnId && agentEvent.turnId !== null) continue
    events.push(agentEvent)
    if (agentEvent.type === 'done' && agentEvent.turnId === turnId) stop.abort()
  }
  return events
}

export function messagesOf(entries: readonly Entry[]): readonly MessageEntry[] {
  return entries.filter((entry): entry is MessageEntry => entry.type === 'message')
}

export function textOf({ parts }: MessageEntry): string {
  return textOfParts(parts)
}
