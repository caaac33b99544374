import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { ModelCall } from '../../port/model-call.ts'
import type { MediaContext } from './media.ts'
import { toPrompt } from './to-prompt.ts'

/** Everything about a call that no vendor has a word of its own for. */
export function toCallOptions(call: ModelCall, context: MediaContext): LanguageModelV4CallOptions {
  const { request, maxOutputTokens, temperature, toolChoice } = call
  return {
    prompt: toPrompt(request, context),
    maxOutputTokens,
    ...(temperature === undefined ? {} : { temperature }),
    // An empty list is an error to vLLM, and so is a choice among no tools to everybody.
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toTool) }),
    ...(request.tools.length === 0 || toolChoice === undefined ? {} : { toolChoice: { type: toolChoice } }),
    // Pings reach nobody otherwise, and a stream that sends them is alive.
    includeRawChunks: true,
  }
}

function toTool({
  name,
  description,
  inputSchema,
}: ModelCall['request']['tools'][number]): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema }
}
