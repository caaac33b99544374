import { join } from 'node:path'
import { longhaul } from '@longhaul/ai-sdk'
import { generateText, wrapLanguageModel } from 'ai'
import type { ModelMessage } from 'ai'
import type { HostCase, HostCaseSetup, OpenHostCase } from './host-case.ts'

const WINDOW_TOKENS = 1_000_000
const TOKENS_PER_MESSAGE = 100

export const aiSdkCases: readonly HostCase[] = [
  {
    host: 'ai-sdk',
    way: 'prepareStep, the app keeps its objects',
    open: (setup) => openCase(setup, { isPrepared: true, copies: false }),
  },
  {
    host: 'ai-sdk',
    way: 'prepareStep, new objects in each call',
    open: (setup) => openCase(setup, { isPrepared: true, copies: true }),
  },
  {
    host: 'ai-sdk',
    way: 'model alone',
    open: (setup) => openCase(setup, { isPrepared: false, copies: false }),
  },
]

interface Way {
  readonly isPrepared: boolean
  readonly copies: boolean
}

type Hooks = Pick<ReturnType<typeof longhaul>, 'model' | 'prepareStep'>

async function openCase({ folder, texts }: HostCaseSetup, { isPrepared, copies }: Way): Promise<OpenHostCase> {
  const lh = longhaul({
    model: fakeModel,
    windowTokens: WINDOW_TOKENS,
    sessionId: `${isPrepared} ${copies}`,
    store: join(folder, 'sessions.db'),
  })
  const empty = {
    model: wrapLanguageModel({ model: fakeModel, middleware: {} }),
    prepareStep: async ({ initialMessages, responseMessages }: Parameters<Hooks['prepareStep']>[0]) => ({
      messages: [...initialMessages, ...responseMessages],
      providerOptions: { longhaul: { list: 'none' } },
    }),
  }
  const choose = ({ model, prepareStep }: Hooks) => (isPrepared ? { model, prepareStep } : { model })
  return {
    plain: createChat(texts, copies, (messages) => generateText({ model: fakeModel, messages })),
    withEmptyHook: createChat(texts, copies, (messages) => generateText({ ...choose(empty), messages })),
    withLonghaul: createChat(texts, copies, (messages) => generateText({ ...choose(lh), messages })),
    close: () => lh.context.close(),
  }
}

type Call = (messages: ModelMessage[]) => Promise<{ readonly responseMessages: readonly ModelMessage[] }>

function createChat(texts: readonly string[], copies: boolean, call: Call): OpenHostCase['plain'] {
  const history: ModelMessage[] = texts.map((content, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content,
  }))
  return async (text) => {
    history.push({ role: 'user', content: text })
    const { responseMessages } = await call(copies ? structuredClone(history) : history)
    history.push(...responseMessages)
  }
}

const fakeModel: Parameters<typeof wrapLanguageModel>[0]['model'] = {
  specificationVersion: 'v4',
  provider: 'fake',
  modelId: 'fake',
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const input = prompt.length * TOKENS_PER_MESSAGE
    return {
      content: [{ type: 'text', text: 'Noted.' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 2, text: 2, reasoning: 0 },
      },
      warnings: [],
    }
  },
  doStream() {
    throw new Error('Nobody streams here.')
  },
}
