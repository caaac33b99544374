import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { isRecord, textOf } from '@longhaul/engine/advanced'
import type { ToolUse } from '../reading/read-conversation.ts'
import { chooseCall } from './choose-tool.ts'
import type { PlannedCall } from './choose-tool.ts'
import type { ToolAsk } from './tool-ask.ts'

export interface CallPlan {
  /** Still to be made, each once. */
  readonly calls: readonly PlannedCall[]
  /** For these there is no tool. */
  readonly unmet: readonly ToolAsk[]
}

/** The calls that asks need and that were not made for them yet. The same call twice would only bring the same answer. */
export function planCalls(
  asks: readonly ToolAsk[],
  tools: readonly LanguageModelV4FunctionTool[],
  uses: readonly ToolUse[],
): CallPlan {
  const made = new Set(uses.map(({ toolName, input }) => signatureOf(toolName, input)))
  const calls: PlannedCall[] = []
  const unmet: ToolAsk[] = []
  for (const ask of asks) {
    const call = chooseCall(ask, tools)
    if (call === null) {
      unmet.push(ask)
      continue
    }
    const signature = signatureOf(call.toolName, call.input)
    if (!made.has(signature)) calls.push(call)
    made.add(signature)
  }
  return { calls, unmet }
}

/** The order of arguments says nothing. */
function signatureOf(toolName: string, input: unknown): string {
  const pairs = isRecord(input) ? Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1)) : input
  return `${toolName} ${textOf(pairs)}`
}
