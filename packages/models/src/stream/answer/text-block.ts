import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'
import { isRecord, toJsonObject } from '@longhaul/engine/advanced'
import type { JsonObject, Part } from '@longhaul/engine/advanced'

/** A text or a piece of reasoning that grows while it streams. */
export interface TextBlock {
  readonly type: 'text' | 'reasoning'
  text: string
  options: JsonObject
  isOpen: boolean
}

/** The block as it is to be stored; nothing where there is nothing to store. */
export function storeBlock({ type, text, options, isOpen }: TextBlock, namespace: string): readonly Part[] {
  const opaque = storeOptions(options)
  if (type === 'text') return text === '' ? [] : [{ type, text, ...opaque }]
  // Reasoning that broke off can be read, but no vendor accepts it again: without a mark it is sent to nobody.
  if (isOpen) return text === '' ? [] : [{ type, text }]
  if (opaque.providerOptions !== undefined) return [{ type, text, ...opaque }]
  return text === '' ? [] : [{ type, text, providerOptions: { [namespace]: {} } }]
}

/** What a vendor attached to several pieces of one block belongs together: a signature comes with a later piece. */
export function mergeOptions(options: JsonObject, metadata: SharedV4ProviderMetadata | undefined): JsonObject {
  if (metadata === undefined) return options
  const merged = Object.entries(toJsonObject(metadata)).map(([namespace, added]) => {
    const before = options[namespace]
    return [namespace, isRecord(before) && isRecord(added) ? { ...before, ...added } : added]
  })
  return { ...options, ...Object.fromEntries(merged) }
}

export function storeOptions(options: JsonObject): { readonly providerOptions?: JsonObject } {
  return Object.keys(options).length === 0 ? {} : { providerOptions: options }
}
