import type { MessageEntry } from '../transcript/entry.ts'
import { EMPTY_CHAIN, chainHash, extendChain } from './hash.ts'

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

/**
 * Walks a request once and answers, for every assistant message in it, whether everything before it is what the model saw
 * when it wrote it. Two things rest on that: a bill may be reused, and a signed reasoning block is still valid. Dropping
 * a block is itself a change, so later blocks see it. Messages without an anchor count as matching until the first edit.
 */
export function tracePrefix(items: readonly PrefixItem[], context: TraceContext): PrefixTrace {
  let chain = extendChain(EMPTY_CHAIN, context.environmentHash)
  let { isEdited } = context
  let billedIndex = -1
  const dropsReasoning: boolean[] = []
  items.forEach((item, index) => {
    const { anchor } = item.entry ?? {}
    const matches =
      anchor === undefined ? !isEdited : anchor.itemCount === index && anchor.chainHash === chainHash(chain)
    if (matches && item.entry !== null && hasBill(item.entry, context.model)) billedIndex = index
    const drops = item.hasReasoning && !matches
    dropsReasoning.push(drops)
    if (drops || item.isEdited) isEdited = true
    chain = extendChain(chain, drops ? `${item.key}:no-reasoning` : item.key)
  })
  return { billedIndex, dropsReasoning, chainHash: chainHash(chain) }
}

/** Bills of failed or cancelled calls, empty ones, and those of another model say nothing about this request. */
function hasBill({ role, usage, finish, model: billedModel }: MessageEntry, model: string | null): boolean {
  if (role !== 'assistant' || usage === undefined || usage.input <= 0) return false
  if (finish === 'error' || finish === 'aborted') return false
  return model === null || billedModel === undefined || billedModel === model
}
