import type { Ask } from '@longhaul/engine'
import { Agent } from '@mastra/core/agent'
import type { ProcessLLMRequestArgs } from '@mastra/core/processors'

/** Asks the agent's own model for a summary: one call without tools and without memory. */
export function createAsk(model: ProcessLLMRequestArgs['model']): Ask {
  return async ({ system, prompt, maxOutputTokens, temperature }, signal) => {
    const agent = new Agent({ id: 'longhaul-summary', name: 'Longhaul', instructions: system, model, maxRetries: 0 })
    const modelSettings = { maxOutputTokens, temperature, maxRetries: 0 }
    const { text, finishReason, usage, error } = await agent.generate(prompt, { modelSettings, abortSignal: signal })
    if (error !== undefined) throw error
    const finish = finishReason === 'stop' || finishReason === 'length' ? finishReason : 'other'
    const { inputTokens, outputTokens } = usage
    if (inputTokens === undefined || outputTokens === undefined) return { text, finish }
    return { text, finish, usage: { input: inputTokens, output: outputTokens } }
  }
}
