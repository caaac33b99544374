import { createSqliteStore } from '@longhaul/store'

/** What Longhaul's store holds of a host's conversation. */
export interface StoredTalk {
  /** Texts of the user's messages on the branch in force, in order. */
  readonly said: readonly string[]
  readonly compactions: number
  /** Sessions with the host's origin. */
  readonly sessions: number
}

export async function readStored(file: string, origin: string): Promise<StoredTalk> {
  const store = await createSqliteStore({ file })
  try {
    const { items } = await store.sessions.list({})
    const own = items.filter(({ header }) => header['origin'] === origin)
    const [first] = own
    const entries = first === undefined ? [] : await store.entries.read(first.id, {})
    return {
      said: entries.flatMap((entry) =>
        entry.type === 'message' && entry.role === 'user'
          ? entry.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
          : [],
      ),
      compactions: first?.head.compactionCount ?? 0,
      sessions: own.length,
    }
  } finally {
    await store.close()
  }
}
