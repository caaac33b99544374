import type { Ask } from '@longhaul/engine'
import type { Model } from '@openai/agents'
import { readUsage } from './read-usage.ts'

/** Asks a model of the SDK for a summary: one call outside the run, without its tools, its stream and its trace. */
export function createAsk(findModel: () => Promise<Model>): Ask {
  return async ({ system, prompt }, signal) => {
    const model = await findModel()
    const { output, usage } = await model.getResponse({
      systemInstructions: system,
      input: prompt,
      modelSettings: {},
      tools: [],
      handoffs: [],
      outputType: 'text',
      tracing: false,
      signal,
    })
    const texts = output.flatMap((item) => {
      if (item.type !== 'message' || item.role !== 'assistant') return []
      return item.content.map((content) => (content.type === 'output_text' ? content.text : ''))
    })
    return { text: texts.join(''), finish: 'stop', usage: readUsage(usage) }
  }
}
