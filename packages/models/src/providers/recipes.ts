import { anthropic } from './anthropic.ts'
import { google } from './google.ts'
import { openaiCompatible } from './openai-compatible.ts'
import { openai } from './openai.ts'
import type { ProviderRecipe } from './provider-recipe.ts'

/** Every kind of provider there is, by the `type` of the configuration. */
export const RECIPES = {
  anthropic,
  openai,
  google,
  'openai-compatible': openaiCompatible,
} as const satisfies Readonly<Record<string, ProviderRecipe>>

export type ProviderType = keyof typeof RECIPES

/** The environment variable that each vendor's key stands in, by the name of its provider. */
export const KEY_VARIABLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(RECIPES).flatMap(([name, { keyVariable }]) => (keyVariable === null ? [] : [[name, keyVariable]])),
)

/** What is taken where nothing was chosen: the first whose vendor has a key. */
export const DEFAULT_MODELS = [
  'anthropic/claude-sonnet-5-5',
  'openai/gpt-6.1-sol',
  'google/gemini-4-argon',
] as const satisfies readonly `${ProviderType}/${string}`[]
