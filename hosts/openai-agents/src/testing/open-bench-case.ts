import { join } from 'node:path'
import { Agent, MemorySession, Runner, Usage } from '@openai/agents'
import type { AgentInputItem, CallModelInputFilter, Model } from '@openai/agents'
import { longhaulFilter } from '../longhaul-filter.ts'

const WINDOW_TOKENS = 1_000_000
const TOKENS_PER_ITEM = 100

interface BenchSetup {
  readonly folder: string
  readonly texts: readonly string[]
}

type Say = (text: string) => Promise<void>

/** Holds the same conversation with Longhaul and without it, for `npm run bench -- hosts`. */
export async function openBenchCase({ folder, texts }: BenchSetup) {
  const longhaul = longhaulFilter({
    windowTokens: WINDOW_TOKENS,
    sessionId: 'bench',
    store: join(folder, 'sessions.db'),
  })
  const plain = new Runner({ tracingDisabled: true })
  const hooked = new Runner({ tracingDisabled: true, callModelInputFilter: EMPTY })
  const around = new Runner({ tracingDisabled: true, callModelInputFilter: longhaul })
  return {
    plain: createChat(texts, plain, fakeModel),
    withEmptyHook: createChat(texts, hooked, fakeModel),
    withLonghaul: createChat(texts, around, longhaul.wrap(fakeModel)),
    close: () => longhaul.context().close(),
  }
}

/** As Longhaul does, it asks for the SDK's own items. */
const EMPTY: CallModelInputFilter & { preserveInputIdentity: true } = Object.assign(
  ({ modelData }: Parameters<CallModelInputFilter>[0]) => modelData,
  { preserveInputIdentity: true as const },
)

function createChat(texts: readonly string[], runner: Runner, model: Model): Say {
  const session = new MemorySession({ initialItems: texts.map(createItem) })
  const agent = new Agent({ name: 'Gardener', model })
  return async (text) => void (await runner.run(agent, text, { session }))
}

function createItem(text: string, index: number): AgentInputItem {
  if (index % 2 === 0) return { role: 'user', content: text }
  return { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }
}

const fakeModel: Model = {
  async getResponse({ input }) {
    const inputTokens = input.length * TOKENS_PER_ITEM
    return { usage: new Usage({ inputTokens, outputTokens: 2 }), output: [createItem('Noted.', 1)] }
  },
  getStreamedResponse() {
    throw new Error('Nobody streams here.')
  },
}
