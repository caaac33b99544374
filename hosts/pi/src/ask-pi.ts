import type { Ask, Usage } from '@longhaul/engine'
import type { PiContext, PiMessage, PiUsage } from './pi-api.ts'

/** Asks for summaries with the model and the keys that pi has at the moment. undefined: pi has no model yet. */
export function askPi({ model, modelRegistry }: PiContext): Ask | undefined {
  if (model === undefined) return undefined
  return async ({ system, prompt, maxOutputTokens }, signal) => {
    const answer = await modelRegistry.complete(
      model,
      { systemPrompt: system, messages: [{ role: 'user', content: prompt, timestamp: Date.now() }] },
      { maxTokens: maxOutputTokens, signal, cacheRetention: 'none' },
    )
    const { stopReason, errorMessage, usage } = answer
    if (stopReason === 'error' || stopReason === 'aborted')
      throw new Error(errorMessage ?? `The model's answer ended with "${stopReason}".`)
    const finish = stopReason === 'length' ? 'length' : 'stop'
    return { text: textOf(answer), finish, ...(usage === undefined ? {} : { usage: readUsage(usage) }) }
  }
}

/** pi counts cached tokens apart from the others. */
export function readUsage({ input, output, cacheRead, cacheWrite, reasoning, cost }: PiUsage): Usage {
  return {
    input: input + cacheRead + cacheWrite,
    output,
    cacheRead,
    cacheWrite,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(cost.total > 0 ? { costUsd: cost.total } : {}),
  }
}

export function textOf({ content = '' }: PiMessage): string {
  if (typeof content === 'string') return content
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}
