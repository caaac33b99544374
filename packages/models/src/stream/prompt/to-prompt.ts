import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import { isRecord } from '@longhaul/engine/advanced'
import type { JsonObject, Part, SealedMessage } from '@longhaul/engine/advanced'
import type { ModelCall } from '../../port/model-call.ts'
import type { Dialect } from './dialect.ts'
import { convertMedia, describeMedia } from './media.ts'
import type { MediaContext } from './media.ts'
import { convertOutput } from './tool-output.ts'

/** Every message must hold something; this stands for one whose every part was meant for another vendor. */
const NOTHING_LEFT = '[empty]'
const ATTACHED = '[Attached to the tool results above:]'
const LATER_INSTRUCTION = '[System message]'

/**
 * The sealed messages as the SDK takes them. The same message always gives the same bytes, whatever follows it: a
 * prefix once sent is sent again as it was. One message becomes one message, but for system messages that are joined
 * and the images of tool results that follow them (`Dialect`).
 */
export function toPrompt({ system, messages }: ModelCall['request'], context: MediaContext): LanguageModelV4Prompt {
  const firstOther = messages.findIndex(({ role }) => role !== 'system')
  const start = firstOther === -1 ? messages.length : firstOther
  const instructions = [system ?? '', ...messages.slice(0, start).map(({ parts }) => joinText(parts))].filter(
    (text) => text.trim() !== '',
  )
  const systemTexts = context.dialect.systemMessages === 'joined' ? joinInstructions(instructions) : instructions
  return [
    ...systemTexts.map((content): LanguageModelV4Message => ({ role: 'system', content })),
    ...messages.slice(start).flatMap((message) => convertMessage(message, context)),
  ]
}

function joinInstructions(instructions: readonly string[]): readonly string[] {
  return instructions.length === 0 ? [] : [instructions.join('\n\n')]
}

function convertMessage({ role, parts }: SealedMessage, context: MediaContext): readonly LanguageModelV4Message[] {
  switch (role) {
    case 'system':
      // Google's converter throws here, Anthropic's asks for a beta that few models have.
      return [{ role: 'user', content: [{ type: 'text', text: `${LATER_INSTRUCTION}\n\n${joinText(parts)}` }] }]
    case 'user':
      return [{ role, content: orNothing(parts.flatMap((part) => convertUserPart(part, context))) }]
    case 'assistant':
      return [{ role, content: orNothing(parts.flatMap((part) => convertAssistantPart(part, context))) }]
    case 'tool':
      return convertResults(parts, context)
    default:
      return role satisfies never
  }
}

function convertUserPart(
  part: Part,
  context: MediaContext,
): readonly (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  switch (part.type) {
    case 'text':
      return isBlank(part.text) ? [] : [{ type: 'text', text: part.text, ...ownOptions(part, context.dialect) }]
    case 'image':
    case 'file':
      return [{ ...convertMedia(part, context), ...ownOptions(part, context.dialect) }]
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
      // The seal leaves none of these in a user message.
      return []
    default:
      return part satisfies never
  }
}

function convertAssistantPart(
  part: Part,
  context: MediaContext,
): readonly (
  | LanguageModelV4TextPart
  | LanguageModelV4FilePart
  | LanguageModelV4ReasoningPart
  | LanguageModelV4ToolCallPart
)[] {
  const { dialect } = context
  const options = ownOptions(part, dialect)
  switch (part.type) {
    case 'text':
      return isBlank(part.text) ? [] : [{ type: 'text', text: part.text, ...options }]
    case 'reasoning':
      // Only to the vendor that wrote it: the others refuse it, or read it as if they had thought it.
      return options.providerOptions === undefined ? [] : [{ type: 'reasoning', text: part.text, ...options }]
    case 'tool-call': {
      const { toolCallId, toolName, input } = part
      return [{ type: 'tool-call', toolCallId, toolName, input, ...options }]
    }
    case 'image':
    case 'file':
      return [convertOwnMedia(part, context)]
    case 'tool-result':
      return []
    default:
      return part satisfies never
  }
}

function convertOwnMedia(
  part: Part & { type: 'image' | 'file' },
  context: MediaContext,
): LanguageModelV4TextPart | LanguageModelV4FilePart {
  const converted = convertMedia(part, context)
  const isTaken = converted.type === 'text' || (context.dialect.assistantMedia && converted.data.type === 'data')
  if (!isTaken) return { type: 'text', text: describeMedia(part, 'the model cannot look at its own images again') }
  return { ...converted, ...ownOptions(part, context.dialect) }
}

function convertResults(parts: readonly Part[], context: MediaContext): readonly LanguageModelV4Message[] {
  const results = parts.filter((part) => part.type === 'tool-result')
  // The seal sends no such message; whoever does gets its words across.
  if (results.length === 0) return convertMessage({ role: 'user', parts }, context)
  const converted = results.map((result) => ({ result, ...convertOutput(result, context) }))
  const media = converted.flatMap(({ mediaAfter }) => mediaAfter)
  const message: LanguageModelV4Message = {
    role: 'tool',
    content: converted.map(({ result, output }) => ({
      type: 'tool-result',
      toolCallId: result.toolCallId,
      toolName: result.toolName,
      output,
      ...ownOptions(result, context.dialect),
    })),
  }
  if (media.length === 0) return [message]
  return [message, { role: 'user', content: [{ type: 'text', text: ATTACHED }, ...media] }]
}

/** Opaque data goes back to the vendor it came from, and to nobody else. */
function ownOptions(
  { providerOptions }: { readonly providerOptions?: JsonObject },
  { namespaces }: Dialect,
): { readonly providerOptions?: SharedV4ProviderOptions } {
  const own = Object.entries(providerOptions ?? {}).filter(
    ([namespace, options]) => namespaces.includes(namespace) && isRecord(options),
  )
  return own.length === 0 ? {} : { providerOptions: Object.fromEntries(own) as SharedV4ProviderOptions }
}

function joinText(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

function orNothing<T>(content: T[]): (T | LanguageModelV4TextPart)[] {
  return content.length === 0 ? [{ type: 'text', text: NOTHING_LEFT }] : content
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}
