import { createHash, randomUUID } from 'node:crypto'
import type { Entry, EntryBody, Head, JsonObject } from '@longhaul/engine/advanced'
import { foldEntries, foldEntry, sliceHead } from '@longhaul/engine/advanced'
import type { Lease } from '../port/leases.ts'
import type { SessionRecord } from '../port/sessions.ts'
import type { Store } from '../port/store.ts'
import { StoreError } from '../store-error.ts'

/** A host's conversation as its stored session describes it. */
export interface HostDescription {
  /** The host's short name, such as `pi`. Readers of the store show it. */
  readonly origin: string
  /** The host's own name for the conversation. */
  readonly sessionId: string
  readonly title: string | null
  readonly model: string | null
  readonly windowTokens: number | null
  readonly preset: string | null
  readonly policy: JsonObject
}

const MAX_READABLE_CHARS = 120
const MAX_TITLE_CHARS = 60

/** The id under which a host's conversation is stored. Two hosts that use the same name for a conversation do not meet. */
export function storedIdOf(origin: string, sessionId: string): string {
  const isPlain = sessionId.length <= MAX_READABLE_CHARS && /^[\w.:@-]+$/.test(sessionId)
  return `${origin}-${isPlain ? sessionId : createHash('sha256').update(sessionId).digest('hex').slice(0, 32)}`
}

/** The stored session of a host's conversation; it is made where there is none. */
export async function ensureRecord(store: Store, id: string, described: HostDescription): Promise<SessionRecord> {
  const found = await store.sessions.get(id)
  if (found !== null) return found
  const { origin, sessionId } = described
  const at = Date.now()
  const entries = describeEntries(described).map((body, index): Entry => ({
    id: randomUUID(),
    at,
    ...body,
    seq: index + 1,
  }))
  try {
    return await store.sessions.create({ id, createdAt: at, header: { origin, originId: sessionId }, entries })
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'id-conflict') throw error
    const made = await store.sessions.get(id)
    if (made === null) throw error
    return made
  }
}

interface RecordUpdate {
  readonly lease: Lease
  readonly entries: readonly Entry[]
  readonly described: HostDescription
}

/** Stores that the host uses another model or another window since. Returns all entries, with those that were added. */
export async function updateRecord(
  store: Store,
  { lease, entries, described }: RecordUpdate,
): Promise<readonly Entry[]> {
  let state = foldEntries(entries)
  const fresh: Entry[] = []
  for (const body of describeEntries({ ...described, title: null })) {
    const entry = { id: randomUUID(), at: Date.now(), ...body, seq: state.head.lastSeq + 1 } as Entry
    const next = foldEntry(state, entry)
    if (describeHead(next.head) === describeHead(state.head)) continue
    state = next
    fresh.push(entry)
  }
  if (fresh.length === 0) return entries
  await store.entries.append({ lease, entries: fresh, head: state.head })
  return [...entries, ...fresh]
}

function describeHead({ model, settings }: Head): string {
  return JSON.stringify([model, settings])
}

function describeEntries({ title, model, windowTokens, preset, policy }: HostDescription): readonly EntryBody[] {
  const window = windowTokens === null ? {} : { contextTokens: windowTokens }
  return [
    ...(model === null ? [] : [{ type: 'model-change', model } as const]),
    {
      type: 'settings',
      ...(title === null ? {} : { title: sliceHead(title, MAX_TITLE_CHARS) }),
      ...(preset === null ? {} : { preset }),
      policy: { ...policy, ...window },
    },
  ]
}
