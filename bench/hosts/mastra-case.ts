import { join } from 'node:path'
import { longhaulProcessor } from '@longhaul/mastra'
import { Agent } from '@mastra/core/agent'
import type { MessageInput } from '@mastra/core/agent/message-list'
import type { HostCase, HostCaseSetup, OpenHostCase } from './host-case.ts'

const WINDOW_TOKENS = 1_000_000
const TOKENS_PER_MESSAGE = 100

export const mastraCases: readonly HostCase[] = [
  { host: 'mastra', way: 'a processor, the whole history in each call', open: openCase },
]

async function openCase({ folder, texts }: HostCaseSetup): Promise<OpenHostCase> {
  const store = join(folder, 'sessions.db')
  const longhaul = longhaulProcessor({ windowTokens: WINDOW_TOKENS, sessionId: 'bench', store })
  return {
    plain: createChat(texts, new Agent(ABOUT)),
    withEmptyHook: createChat(texts, new Agent({ ...ABOUT, inputProcessors: [EMPTY] })),
    withLonghaul: createChat(texts, new Agent({ ...ABOUT, inputProcessors: [longhaul] })),
    close: () => longhaul.context().close(),
  }
}

function createChat(texts: readonly string[], agent: Agent): OpenHostCase['plain'] {
  const history = texts.map((content, index): MessageInput =>
    index % 2 === 0 ? { role: 'user', content } : { role: 'assistant', content },
  )
  return async (text) => {
    history.push({ role: 'user', content: text })
    const { response } = await agent.generate(history)
    history.push(...(response.messages ?? []))
  }
}

const fakeModel: Exclude<ConstructorParameters<typeof Agent>[0]['model'], string> = {
  specificationVersion: 'v2',
  provider: 'fake',
  modelId: 'fake',
  supportedUrls: {},
  async doGenerate({ prompt }: { readonly prompt: readonly unknown[] }) {
    return {
      content: [{ type: 'text', text: 'Noted.' }],
      finishReason: 'stop',
      usage: { inputTokens: prompt.length * TOKENS_PER_MESSAGE, outputTokens: 2, totalTokens: undefined },
      warnings: [],
    }
  },
  doStream() {
    throw new Error('Nobody streams here.')
  },
}

const ABOUT = { id: 'bench', name: 'Bench', instructions: 'You take notes.', model: fakeModel }

const EMPTY: Omit<ReturnType<typeof longhaulProcessor>, 'name' | 'tools' | 'context' | 'processAPIError'> = {
  id: 'longhaul',
  processInputStep: () => undefined,
  processLLMRequest: async ({ prompt }) => ({ prompt: [...prompt] }),
  processLLMResponse: () => undefined,
}
