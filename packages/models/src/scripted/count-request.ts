import type { LanguageModelV4CallOptions, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Usage } from '@longhaul/engine/advanced'

/** A request as a model reads it: tools and messages, each as text with its tokens. */
export type CountedRequest = readonly { readonly text: string; readonly tokens: number }[]

export function countRequest(
  { prompt, tools = [] }: LanguageModelV4CallOptions,
  countTokens: (text: string) => number,
): CountedRequest {
  return [...tools, ...prompt].map((element) => {
    const text = JSON.stringify(element)
    return { text, tokens: countTokens(text) }
  })
}

export function sumTokens(request: CountedRequest): number {
  return request.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** What a prompt cache would still hold of the request before: the elements both begin with. */
export function countSharedTokens(request: CountedRequest, before: CountedRequest): number {
  const different = request.findIndex(({ text }, index) => text !== before[index]?.text)
  return sumTokens(different === -1 ? request : request.slice(0, different))
}

export function toUsage(usage: Usage): LanguageModelV4Usage {
  const { input, output, cacheRead, cacheWrite, reasoning } = usage
  return {
    inputTokens: {
      total: input,
      noCache: input - (cacheRead ?? 0) - (cacheWrite ?? 0),
      cacheRead,
      cacheWrite,
    },
    outputTokens: { total: output, text: output - (reasoning ?? 0), reasoning },
  }
}

export const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}
