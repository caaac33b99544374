import type { Ask } from '@longhaul/engine'
import { generateText } from 'ai'
import type { LanguageModel } from 'ai'

/** Asks a model for a summary: one call, whose retries the engine decides. */
export function createAsk(model: LanguageModel): Ask {
  return async ({ system, prompt, maxOutputTokens, temperature }, signal) => {
    const { text, finishReason, usage } = await generateText({
      model,
      instructions: system,
      prompt,
      maxOutputTokens,
      temperature,
      maxRetries: 0,
      abortSignal: signal,
    })
    const finish = finishReason === 'stop' || finishReason === 'length' ? finishReason : 'other'
    const { inputTokens, outputTokens } = usage
    if (inputTokens === undefined || outputTokens === undefined) return { text, finish }
    return { text, finish, usage: { input: inputTokens, output: outputTokens } }
  }
}
