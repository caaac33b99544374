import { hashMessage } from '@longhaul/engine/advanced'
import type { Entry } from '@longhaul/engine'

/** The hashes of the messages of a stored conversation, as its client sent them last. */
export function readStoredChain(entries: readonly Entry[]): readonly string[] {
  const chains = new Map<string, readonly string[]>()
  let chain: readonly string[] = []
  for (const entry of entries) {
    if (entry.type === 'branch') chain = entry.to === null ? [] : (chains.get(entry.to.id) ?? [])
    if (entry.type !== 'message') continue
    chain = [...chain, entry.hostHash ?? hashMessage(entry)]
    chains.set(entry.id, chain)
  }
  return chain
}
