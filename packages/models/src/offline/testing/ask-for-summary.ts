import type { AskModel } from '@longhaul/engine/advanced'
import type { LanguageModelV4 } from '@ai-sdk/provider'

/** The engine's port to a model, straight to a language model of the AI SDK. */
export function askForSummary(model: LanguageModelV4): AskModel {
  return async ({ system, prompt, maxOutputTokens }) => {
    const { content, finishReason, usage } = await model.doGenerate({
      prompt: [
        { role: 'system', content: system },
        { role: 'user', content: [{ type: 'text', text: prompt }] },
      ],
      maxOutputTokens,
    })
    const { unified } = finishReason
    return {
      text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      finish: unified === 'stop' || unified === 'length' || unified === 'tool-calls' ? unified : 'other',
      usage: { input: usage.inputTokens.total ?? 0, output: usage.outputTokens.total ?? 0 },
    }
  }
}
