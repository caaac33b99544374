import type { Runtime } from '@longhaul/runtime'

/** For whoever has set up nothing: what this is, and how to have more. Empty for everybody else. */
export function describeOffline({ models, config }: Runtime, model: string): readonly string[] {
  if (!model.startsWith('offline/')) return []
  const isConfigured = config.agents.defaults.model !== null || models.defaultModel !== model
  if (isConfigured) return [`${model} answers by quoting you. It is not an LLM.`]
  return [
    `No key set: ${model} answers, by quoting you. It is not an LLM.`,
    'Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY for one.',
  ]
}
