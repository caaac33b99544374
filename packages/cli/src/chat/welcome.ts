import { describeKept } from '@longhaul/runtime'
import type { Runtime, SessionView } from '@longhaul/runtime'
import { oneLine } from '../terminal/text-width.ts'

/**
 * What a user should know before they write: that another program keeps the conversation, or that nothing is set up and
 * how to have more. Usually empty.
 */
export function describeWelcome(
  { models, config }: Runtime,
  { model, origin }: Pick<SessionView, 'model' | 'origin'>,
): readonly string[] {
  if (origin !== null) return [oneLine(describeKept(origin))]
  if (!model.startsWith('offline/')) return []
  const isConfigured = config.agents.defaults.model !== null || models.defaultModel !== model
  if (isConfigured) return [`${model} answers by quoting you. It is not an LLM.`]
  return [
    `No key set: ${model} answers, by quoting you. It is not an LLM.`,
    'Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY for one.',
  ]
}
