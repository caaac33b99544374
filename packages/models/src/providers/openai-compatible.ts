import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { compatibleDialect } from '../stream/prompt/dialect.ts'
import type { ProviderRecipe } from './provider-recipe.ts'
import { sdkSettings } from './sdk-settings.ts'

/** Whatever speaks OpenAI's Chat format: Ollama, llama.cpp, vLLM, LM Studio, OpenRouter and many others. */
export const openaiCompatible: ProviderRecipe = {
  keyVariable: null,
  connect(toConnect) {
    const { modelName, settings } = toConnect
    const provider = createOpenAICompatible({
      ...sdkSettings(toConnect, ''),
      name: settings.name,
      // Without it such servers report no usage.
      includeUsage: true,
    })
    return { model: provider(modelName), dialect: compatibleDialect(settings.name), prepare: (options) => options }
  },
  connectEmbedding(toConnect) {
    const { modelName, settings } = toConnect
    return createOpenAICompatible({ ...sdkSettings(toConnect, ''), name: settings.name }).embeddingModel(modelName)
  },
}
