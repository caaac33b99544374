import type { MessageEntry } from '../transcript/entry.ts'
import { EMPTY_CHAIN, chainHash, extendChain, linkChain } from './hash.ts'
import type { Chain } from './hash.ts'

/** One item of a request as far as counting is concerned. */
export interface PrefixItem {
  /** Names the item and the form it is sent in; two requests with equal keys send equal bytes. */
  readonly key: string
  readonly tokens: number
  /** The stored message behind it; null for a summary or pins. */
  readonly entry: MessageEntry | null
  /** It is not what was first sent: a summary, or a message in a pruned form. */
  readonly isEdited: boolean
  readonly hasReasoning: boolean
}

export interface TraceContext {
  readonly environmentHash: string
  /** The model the request goes to; null: any. */
  readonly model: string | null
  /** Messages before the first item are left out. */
  readonly isEdited: boolean
}

export interface PrefixTrace {
  /** The newest message whose bill covers exactly what this request sends before it; -1 if none. */
  readonly billedIndex: number
  /** By item: its reasoning was made for another prefix and may not be sent. */
  readonly dropsReasoning: readonly boolean[]
  readonly chainHash: string
}

const NO_REASONING = extendChain(EMPTY_CHAIN, 'no-reasoning')
const links = new WeakMap<PrefixItem, Chain>()

/**
 * Walks a request and answers, for the assistant messages in it, whether everything before them is what the model saw
 * when it wrote them. Two things rest on that: a bill may be reused, and a signed reasoning block is still valid. Dropping
 * a block is itself a change, so later blocks see it. Messages without an anchor count as matching until the first edit.
 */
export function tracePrefix(items: readonly PrefixItem[], context: TraceContext): PrefixTrace {
  const chains = [extendChain(EMPTY_CHAIN, context.environmentHash)]
  const dropsReasoning: boolean[] = []
  let firstEdited = context.isEdited ? 0 : Number.POSITIVE_INFINITY
  const chainAt = (index: number): Chain => chains[index] ?? EMPTY_CHAIN
  const matches = (item: PrefixItem, index: number): boolean => {
    const anchor = item.entry?.anchor
    if (anchor === undefined) return index <= firstEdited && !context.isEdited
    return anchor.itemCount === index && anchor.chainHash === chainHash(chainAt(index))
  }
  items.forEach((item, index) => {
    const drops = item.hasReasoning && !matches(item, index)
    dropsReasoning.push(drops)
    if (drops || item.isEdited) firstEdited = Math.min(firstEdited, index)
    const chain = linkChain(chainAt(index), linkOf(item))
    chains.push(drops ? linkChain(chain, NO_REASONING) : chain)
  })
  const billedIndex = items.findLastIndex(
    (item, index) => item.entry !== null && hasBill(item.entry, context.model) && matches(item, index),
  )
  return { billedIndex, dropsReasoning, chainHash: chainHash(chainAt(items.length)) }
}

/** The hash of an item's key, computed once for as long as the item lives. */
function linkOf(item: PrefixItem): Chain {
  const known = links.get(item)
  if (known !== undefined) return known
  const link = extendChain(EMPTY_CHAIN, item.key)
  links.set(item, link)
  return link
}

/** Bills of failed or cancelled calls, empty ones, and those of another model say nothing about this request. */
function hasBill({ role, usage, finish, model: billedModel }: MessageEntry, model: string | null): boolean {
  if (role !== 'assistant' || usage === undefined || usage.input <= 0) return false
  if (finish === 'error' || finish === 'aborted') return false
  return model === null || billedModel === undefined || billedModel === model
}
