import { sliceHead } from '@longhaul/engine/advanced'
import type { CountTokens } from '../count-tokens.ts'
import type { OfflineReply } from './render-plan.ts'

export interface CutReply {
  readonly reply: OfflineReply
  readonly tokens: number
  readonly isCut: boolean
}

/** What a call costs beside its name and arguments. */
const CALL_TOKENS = 8

/** As much of a reply as the output limit allows. Calls leave whole, the last first: half a call is none. */
export function cutReply(reply: OfflineReply, maxTokens: number | null, count: CountTokens): CutReply {
  const limit = maxTokens ?? Infinity
  const text = cutText(reply.text, limit, count)
  let tokens = count(text)
  const calls = reply.calls.filter(({ toolName, input }) => {
    const cost = count(toolName) + count(JSON.stringify(input)) + CALL_TOKENS
    const fits = tokens + cost <= limit
    if (fits) tokens += cost
    return fits
  })
  const isCut = text.length < reply.text.length || calls.length < reply.calls.length
  return { reply: isCut ? { text, calls } : reply, tokens, isCut }
}

/** The longest beginning within the limit. */
function cutText(text: string, limit: number, count: CountTokens): string {
  if (count(text) <= limit) return text
  let [fits, fails] = [0, text.length]
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2)
    if (count(sliceHead(text, middle)) <= limit) fits = middle
    else fails = middle
  }
  return sliceHead(text, fits)
}
