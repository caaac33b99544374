import type { SessionRecord } from '@longhaul/runtime'

/** Something that is read from a whole transcript, and stays as it is until an entry is added. */
export interface Kept<Value> {
  read(session: Pick<SessionRecord, 'id' | 'head'>): Promise<Value>
}

/** Sessions somebody looks at come in dozens, not in thousands. */
const MAX_KEPT = 50

export function keepUntilChanged<Value>(read: (sessionId: string) => Promise<Value>): Kept<Value> {
  const kept = new Map<string, { readonly lastSeq: number; readonly value: Promise<Value> }>()

  function remember(id: string, lastSeq: number): Promise<Value> {
    const value = read(id)
    kept.delete(id)
    kept.set(id, { lastSeq, value })
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    value.catch(() => {
      if (kept.get(id)?.value === value) kept.delete(id)
    })
    return value
  }

  return {
    read({ id, head: { lastSeq } }) {
      const known = kept.get(id)
      return known?.lastSeq === lastSeq ? known.value : remember(id, lastSeq)
    },
  }
}
