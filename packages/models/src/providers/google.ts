import { createGoogle } from '@ai-sdk/google'
import { GOOGLE } from '../stream/prompt/dialect.ts'
import type { ProviderRecipe } from './provider-recipe.ts'
import { sdkSettings } from './sdk-settings.ts'

const OFFICIAL_URL = 'https://generativelanguage.googleapis.com/v1beta'

export const google: ProviderRecipe = {
  keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
  connect(toConnect) {
    const provider = createGoogle(sdkSettings(toConnect, OFFICIAL_URL))
    // Prompts are cached by themselves there.
    return { model: provider(toConnect.modelName), dialect: GOOGLE, prepare: (options) => options }
  },
  connectEmbedding: (toConnect) => createGoogle(sdkSettings(toConnect, OFFICIAL_URL)).embedding(toConnect.modelName),
}
