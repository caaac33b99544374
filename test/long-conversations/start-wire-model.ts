import { createModels } from '@longhaul/models'
import { startWireServer } from '@longhaul/models/testing'
import type { WireReply } from '@longhaul/models/testing'
import { expect } from 'vitest'
import type { ConversationCase, ModelUnderTest } from './describe-conversations.ts'
import { answerFromRequest } from './wire-brain.ts'

const MODELS = {
  anthropic: { model: 'claude-haiku-4-5' },
  openai: { model: 'gpt-5-mini' },
  // A server of one's own, as most local ones are.
  local: { model: 'my-model', type: 'openai-compatible' },
} as const
const MAX_OUTPUT_TOKENS = 4_096
const MAX_REFUSED = 2

/** A server that speaks the vendor's format, counts three characters a token and takes no more than its window. */
export async function startWireModel(
  vendor: keyof typeof MODELS,
  { configuredTokens, windowTokens }: Pick<ConversationCase, 'configuredTokens' | 'windowTokens'>,
  answer: WireReply = answerFromRequest,
): Promise<ModelUnderTest> {
  const server = await startWireServer({ otherwise: answer, windowTokens, charsPerToken: 3 })
  const { model, ...settings } = MODELS[vendor]
  const name = `${vendor}/${model}`
  const models = createModels({
    providers: {
      [vendor]: {
        apiKey: 'any',
        baseURL: server.baseURL,
        ...settings,
        models: { [model]: { contextWindow: configuredTokens, maxOutput: MAX_OUTPUT_TOKENS } },
      },
    },
    defaultModel: name,
  })
  return {
    name,
    models,
    check(pins) {
      // Summaries, titles and flushes included.
      const tooLarge = server.requests.filter(({ inputTokens }) => inputTokens > windowTokens)
      expect(tooLarge.length).toBeLessThanOrEqual(MAX_REFUSED)
      const turns = server.requests.filter(({ body }) => Array.isArray(body['tools']))
      for (const pin of pins) expect(turns.filter(({ text }) => !text.includes(pin))).toEqual([])
    },
    close: () => server.close(),
  }
}
