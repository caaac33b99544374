import { HumanMessage, SystemMessage } from '@langchain/core/messages'
import type { AIMessage } from '@langchain/core/messages'
import type { Ask } from '@longhaul/engine'
import type { ModelRequest } from 'langchain'
import { readUsage } from './read-usage.ts'

/** Message streams of LangGraph pass over calls with these names, the second of which older versions know. */
const HIDDEN = ['nostream', 'langsmith:nostream']
const LENGTHS: readonly unknown[] = ['length', 'max_tokens', 'MAX_TOKENS']

/**
 * Asks a model for a summary. The call has none of the callbacks of the agent's run, so its words appear in no stream of
 * the agent's user, and so it is not streamed itself.
 */
export function createAsk(model: ModelRequest['model']): Ask {
  return async ({ system, prompt }, signal) => {
    const messages = [new SystemMessage(system), new HumanMessage(prompt)]
    const reply = (await model.invoke(messages, { callbacks: [], tags: HIDDEN, signal })) as AIMessage
    const { finish_reason, stop_reason, finishReason } = reply.response_metadata
    const finish = LENGTHS.includes(finish_reason ?? stop_reason ?? finishReason) ? 'length' : 'stop'
    return { text: reply.text, finish, usage: readUsage(reply) }
  }
}
