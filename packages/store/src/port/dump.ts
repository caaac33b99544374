import type { Entry, JsonObject, StoredManifest } from '@longhaul/engine/advanced'
import type { InboxItem } from './inbox.ts'
import type { LearnedValues } from './learned.ts'
import type { MemoryChunk, MemoryDocument } from './memory.ts'

/**
 * Everything a store holds that matters tomorrow, one value a row, the same from every backend: so a backup of one is
 * restored into another. Events, leases, the search index and vectors are not in it.
 */
export type DumpRecord =
  | {
      readonly type: 'session'
      readonly id: string
      readonly createdAt: number
      readonly updatedAt: number
      readonly deletedAt: number | null
      readonly header: JsonObject
    }
  /** Entries of a session follow it, in order. */
  | { readonly type: 'entry'; readonly sessionId: string; readonly entry: Entry }
  /** One whose content is lost or damaged is left out; `check` reports it. */
  | {
      readonly type: 'artifact'
      readonly sessionId: string
      readonly id: string
      readonly at: number
      readonly content: string
    }
  | { readonly type: 'inbox'; readonly item: InboxItem; readonly settledAt: number | null }
  | {
      readonly type: 'request'
      readonly sessionId: string
      readonly manifest: StoredManifest
      readonly outcome: JsonObject | null
    }
  | { readonly type: 'learned'; readonly model: string; readonly values: LearnedValues }
  | { readonly type: 'memory'; readonly document: MemoryDocument; readonly chunks: readonly MemoryChunk[] }
