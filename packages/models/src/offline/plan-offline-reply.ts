import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { planTalk } from './plan-talk.ts'
import { planSaves } from './housekeeping/plan-saves.ts'
import { planTitle } from './housekeeping/plan-title.ts'
import { readFlushPrompt } from './housekeeping/read-flush-prompt.ts'
import type { OfflinePlan } from './offline-plan.ts'
import type { Conversation } from './reading/read-conversation.ts'
import { planSummary } from './summarising/plan-summary.ts'
import { readSummaryPrompt } from './summarising/read-summary-prompt.ts'

export type OfflineRequest = Pick<LanguageModelV4CallOptions, 'tools' | 'toolChoice' | 'maxOutputTokens'>

/**
 * What to do about a conversation: the same every time, decided by nothing but the conversation and the tools. The prompts
 * of maintenance come first, because their material is full of questions that nobody asks now.
 */
export function planOfflineReply(conversation: Conversation, request: OfflineRequest): OfflinePlan {
  const tools = callableTools(request)
  const summary = readSummaryPrompt(conversation.ask)
  if (summary !== null) return { kind: 'text', text: planSummary(summary, request.maxOutputTokens ?? null) }
  const flush = readFlushPrompt(conversation.ask)
  if (flush !== null) {
    const calls = planSaves(flush, conversation, tools)
    return calls.length > 0 ? { kind: 'call-tools', calls } : { kind: 'text', text: flush.silentToken }
  }
  const title = planTitle(conversation)
  return title === null ? planTalk(conversation, tools, request.toolChoice) : { kind: 'text', text: title }
}

/** Tools of a provider run on its servers; there are none behind this model. */
function callableTools({ tools = [], toolChoice }: OfflineRequest): readonly LanguageModelV4FunctionTool[] {
  if (toolChoice?.type === 'none') return []
  const functions = tools.filter((tool) => tool.type === 'function')
  return toolChoice?.type === 'tool' ? functions.filter(({ name }) => name === toolChoice.toolName) : functions
}
