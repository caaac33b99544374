import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import { estimateField, estimateMessage } from '@longhaul/engine/advanced'
import type { ModelCall } from '../port/model-call.ts'
import type { CacheBehaviour } from '../port/model-info.ts'

/** What the endpoint allows in all is four: one for system prompt and tools, the rest for messages. */
const MAX_MESSAGE_BREAKPOINTS = 3

/**
 * The endpoint looks for an earlier cache entry at most 20 blocks before a breakpoint. A step with many parallel calls
 * adds more than that, and a single breakpoint at the end would then find nothing and pay for everything again.
 */
const BLOCKS_BETWEEN = 18

/** Of most models; the endpoint ignores breakpoints of shorter prefixes. */
const USUAL_MIN_PREFIX_TOKENS = 1_024

const BREAKPOINT = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

export interface BreakpointInput extends Pick<ModelCall, 'request'> {
  readonly stableMessages: number | undefined
  readonly cache: CacheBehaviour | null
}

/** Where Anthropic's prompt cache may end: after system prompt and tools, and after the last message that stays. */
export function markBreakpoints(
  options: LanguageModelV4CallOptions,
  { request, stableMessages, cache }: BreakpointInput,
): LanguageModelV4CallOptions {
  const minTokens = cache?.minPrefixTokens ?? USUAL_MIN_PREFIX_TOKENS
  const headTokens = estimateHead(request)
  const firstWorthIt = findFirstWorthIt(request.messages, minTokens - headTokens)
  const offset = options.prompt.length - request.messages.length
  const stable = Math.min(stableMessages ?? request.messages.length - 1, request.messages.length)
  const chosen = new Set(chooseMessages(options.prompt, { first: offset + firstWorthIt, last: offset + stable - 1 }))
  const isHeadWorthIt = headTokens >= minTokens
  const system = isHeadWorthIt ? options.prompt.slice(0, offset).findLastIndex(({ role }) => role === 'system') : -1
  if (system >= 0) chosen.add(system)
  return {
    ...options,
    prompt: options.prompt.map((message, index) => (chosen.has(index) ? mark(message) : message)),
    ...(isHeadWorthIt && system < 0 ? markLastTool(options) : {}),
  }
}

function estimateHead({ system, tools }: ModelCall['request']): number {
  const toolTokens = tools.length === 0 ? 0 : estimateField(JSON.stringify(tools), 'classes')
  return estimateField(system ?? '', 'classes') + toolTokens
}

/** The first message that makes the prefix long enough. Reading stops there, so a long conversation costs no more. */
function findFirstWorthIt(messages: ModelCall['request']['messages'], missingTokens: number): number {
  let tokens = 0
  const found = messages.findIndex(({ parts }) => {
    tokens += estimateMessage({ role: 'user', parts }, 'classes')
    return tokens >= missingTokens
  })
  return found === -1 ? messages.length : found
}

function chooseMessages(
  prompt: readonly LanguageModelV4Message[],
  { first, last }: { readonly first: number; readonly last: number },
): readonly number[] {
  const chosen: number[] = []
  let blocks = BLOCKS_BETWEEN
  for (let index = last; index >= first && chosen.length < MAX_MESSAGE_BREAKPOINTS; index -= 1) {
    const message = prompt[index]
    if (message === undefined) break
    if (blocks >= BLOCKS_BETWEEN && canCarry(message)) {
      chosen.push(index)
      blocks = 0
    }
    blocks += typeof message.content === 'string' ? 1 : message.content.length
  }
  return chosen
}

/** Thinking takes no breakpoint, and a message's breakpoint stands on its last part. */
function canCarry({ role, content }: LanguageModelV4Message): boolean {
  return role === 'system' || (content.length > 0 && content.at(-1)?.type !== 'reasoning')
}

function mark(message: LanguageModelV4Message): LanguageModelV4Message {
  return { ...message, providerOptions: { ...message.providerOptions, ...BREAKPOINT } }
}

function markLastTool({ tools }: LanguageModelV4CallOptions): Pick<LanguageModelV4CallOptions, 'tools'> {
  const last = tools?.at(-1)
  if (tools === undefined || last === undefined || last.type !== 'function') return {}
  return { tools: [...tools.slice(0, -1), { ...last, providerOptions: { ...last.providerOptions, ...BREAKPOINT } }] }
}
