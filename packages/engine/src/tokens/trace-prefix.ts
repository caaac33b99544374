import type { MessageEntry } from '../transcript/entry.ts'
import { EMPTY_CHAIN, chainHash, extendChain, mixHigh, mixLow } from './hash.ts'
import type { Chain } from './hash.ts'

/** One item of a request as far as counting is concerned. */
export interface PrefixItem {
  /** Names the item and the form it is sent in; two requests with equal keys send equal bytes. */
  readonly key: string
  /** The hash of the key. */
  readonly link: Chain
  readonly tokens: number
  /** The stored message behind it; null for a summary or pins. */
  readonly entry: MessageEntry | null
  /** It is not what was first sent: a summary, or a message in a pruned form. */
  readonly isEdited: boolean
  readonly hasReasoning: boolean
  /** The part of `tokens` that its reasoning takes. */
  readonly reasoningTokens: number
  /** How many tool calls it makes, and how many arguments they have. */
  readonly frames: number
  /** How many of its lines are numbered by a file tool. */
  readonly numberedLines: number
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

/**
 * Walks a request and answers, for the assistant messages in it, whether everything before them is what the model saw
 * when it wrote them. Two things rest on that: a bill may be reused, and a signed reasoning block is still valid. Dropping
 * a block is itself a change, so later blocks see it. Messages without an anchor count as matching until the first edit.
 */
export function tracePrefix(items: readonly PrefixItem[], context: TraceContext): PrefixTrace {
  const chains = createChains(items.length, extendChain(EMPTY_CHAIN, context.environmentHash))
  const dropsReasoning: boolean[] = []
  let firstEdited = context.isEdited ? -1 : Number.POSITIVE_INFINITY
  const matches = (item: PrefixItem, index: number): boolean => {
    const anchor = item.entry?.anchor
    if (isOtherModel(anchor?.model ?? item.entry?.model, context.model)) return false
    if (anchor === undefined) return index <= firstEdited
    return anchor.itemCount === index && anchor.chainHash === chains.hashAt(index)
  }
  items.forEach((item, index) => {
    const drops = item.hasReasoning && !matches(item, index)
    dropsReasoning.push(drops)
    if (drops || item.isEdited) firstEdited = Math.min(firstEdited, index)
    chains.link(index, item.link)
    if (drops) chains.link(index, NO_REASONING)
  })
  const billedIndex = items.findLastIndex(
    (item, index) => item.entry !== null && hasBill(item.entry, context.model) && matches(item, index),
  )
  return { billedIndex, dropsReasoning, chainHash: chains.hashAt(items.length) }
}

/** The chain before each item, in flat arrays: a request is traced at every step, and objects would be most of the cost. */
function createChains(length: number, start: Chain) {
  const low = new Int32Array(length + 1)
  const high = new Int32Array(length + 1)
  low[0] = start.low
  high[0] = start.high
  let linked = 0
  return {
    /** Adds a link to the chain that ends with the item at `index`. */
    link(index: number, { low: linkLow, high: linkHigh }: Chain): void {
      const from = linked > index ? index + 1 : index
      low[index + 1] = mixLow(low[from] ?? 0, linkLow)
      high[index + 1] = mixHigh(high[from] ?? 0, linkHigh)
      linked = index + 1
    },
    hashAt: (index: number): string => chainHash({ low: low[index] ?? 0, high: high[index] ?? 0 }),
  }
}

/** What one model thought, cached or was billed means nothing to another. Where nobody said which, it is the same. */
export function isOtherModel(a: string | null | undefined, b: string | null): boolean {
  return typeof a === 'string' && a !== '' && b !== null && a !== b
}

/** Bills of failed or cancelled calls, empty ones, and those of another model say nothing about this request. */
export function hasBill({ role, usage, finish, model: billedModel }: MessageEntry, model: string | null): boolean {
  if (role !== 'assistant' || usage === undefined || usage.input <= 0) return false
  if (finish === 'error' || finish === 'aborted') return false
  return model === null || billedModel === undefined || billedModel === model
}
