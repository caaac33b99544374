import { createAnthropic } from '@ai-sdk/anthropic'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { ANTHROPIC } from '../stream/prompt/dialect.ts'
import { markBreakpoints } from './anthropic-breakpoints.ts'
import type { ProviderRecipe } from './provider-recipe.ts'
import { sdkSettings } from './sdk-settings.ts'

const OFFICIAL_URL = 'https://api.anthropic.com/v1'

/**
 * Claude models whose thinking is bound to everything that stands before it. The engine leaves out what no longer fits;
 * should one slip through, the endpoint is asked to drop it rather than to refuse the request for good.
 */
const BOUND_THINKING = /claude-(?:(?:fable|mythos)-5-[12]|(?:opus|sonnet|haiku)-5-5)/

export const anthropic: ProviderRecipe = {
  keyVariable: 'ANTHROPIC_API_KEY',
  connectEmbedding: null,
  connect(toConnect) {
    const { modelName, cache } = toConnect
    const settings = sdkSettings(toConnect, OFFICIAL_URL)
    const provider = createAnthropic(settings)
    const options: NonNullable<LanguageModelV4CallOptions['providerOptions']>[string] = {
      ...(BOUND_THINKING.test(modelName)
        ? { thinking: { blockBinding: { prefixMismatchBehavior: 'drop_block' } } }
        : {}),
      // Servers that only resemble Anthropic's refuse the fields that eager streaming adds to tools.
      ...(settings.baseURL === OFFICIAL_URL ? {} : { toolStreaming: false }),
    }
    return {
      model: provider(modelName),
      dialect: ANTHROPIC,
      prepare(call, { request, stableMessages }) {
        const marked = markBreakpoints(call, { request, stableMessages, cache })
        return { ...marked, providerOptions: { ...call.providerOptions, anthropic: options } }
      },
    }
  },
}
