import { createOpenAI } from '@ai-sdk/openai'
import { OPENAI_CHAT, OPENAI_RESPONSES } from '../stream/prompt/dialect.ts'
import type { ProviderRecipe } from './provider-recipe.ts'
import { sdkSettings } from './sdk-settings.ts'

const OFFICIAL_URL = 'https://api.openai.com/v1'
const MAX_CACHE_KEY_CHARS = 64

export const openai: ProviderRecipe = {
  keyVariable: 'OPENAI_API_KEY',
  connect(toConnect) {
    const { modelName, settings } = toConnect
    const provider = createOpenAI(sdkSettings(toConnect, OFFICIAL_URL))
    const isChat = settings.api === 'chat'
    return {
      model: isChat ? provider.chat(modelName) : provider.responses(modelName),
      dialect: isChat ? OPENAI_CHAT : OPENAI_RESPONSES,
      prepare(options, { cacheKey }) {
        const openaiOptions = {
          // The transcript is ours: nothing is kept there, so whole messages are sent, and of reasoning models their
          // reasoning in encrypted form, which the library then asks for by itself.
          store: false,
          ...(cacheKey === undefined ? {} : { promptCacheKey: cacheKey.slice(0, MAX_CACHE_KEY_CHARS) }),
        }
        return { ...options, providerOptions: { ...options.providerOptions, openai: openaiOptions } }
      },
    }
  },
  connectEmbedding: (toConnect) => createOpenAI(sdkSettings(toConnect, OFFICIAL_URL)).embedding(toConnect.modelName),
}
