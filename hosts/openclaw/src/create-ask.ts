import type { Ask } from '@longhaul/engine'
import type { OpenClawLlm } from './openclaw-api.ts'

/** Asks for summaries with the model and the keys of OpenClaw's agent. */
export function createAsk({ complete }: OpenClawLlm): Ask {
  return async ({ system, prompt, maxOutputTokens, temperature }, signal) => {
    const { text, stopReason, usage } = await complete({
      systemPrompt: system,
      messages: [{ role: 'user', content: prompt }],
      maxTokens: maxOutputTokens,
      temperature,
      signal,
      purpose: 'longhaul.summary',
    })
    if (stopReason === 'error' || stopReason === 'aborted')
      throw new Error(`The model's answer ended with "${stopReason}".`)
    const { inputTokens, outputTokens, costUsd } = usage ?? {}
    const isBilled = inputTokens !== undefined && outputTokens !== undefined
    const cost = costUsd === undefined ? {} : { costUsd }
    return {
      text,
      finish: stopReason === 'length' ? 'length' : 'stop',
      ...(isBilled ? { usage: { input: inputTokens, output: outputTokens, ...cost } } : {}),
    }
  }
}
