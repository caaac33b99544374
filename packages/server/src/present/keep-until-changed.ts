import type { SessionRecord } from '@longhaul/runtime'

type KnownSession = Pick<SessionRecord, 'id' | 'head'>

/** Something that is read from a whole transcript, and stays as it is until an entry is added. */
export interface Kept<Value> {
  read(session: KnownSession): Promise<Value>
  /** Whether reading it costs nothing. */
  has(session: KnownSession): boolean
}

export interface KeepOptions<Value> {
  readonly read: (sessionId: string) => Promise<Value>
  /** Of how many sessions; those read last stay. */
  readonly maxSessions: number
}

export function keepUntilChanged<Value>({ read, maxSessions }: KeepOptions<Value>): Kept<Value> {
  const kept = new Map<string, { readonly lastSeq: number; readonly value: Promise<Value> }>()

  function remember(id: string, lastSeq: number): Promise<Value> {
    const value = read(id)
    kept.delete(id)
    kept.set(id, { lastSeq, value })
    const [oldest] = kept.keys()
    if (kept.size > maxSessions && oldest !== undefined) kept.delete(oldest)
    value.catch(() => {
      if (kept.get(id)?.value === value) kept.delete(id)
    })
    return value
  }

  function find({ id, head }: KnownSession): Promise<Value> | null {
    const known = kept.get(id)
    return known?.lastSeq === head.lastSeq ? known.value : null
  }

  return {
    read: (session) => find(session) ?? remember(session.id, session.head.lastSeq),
    has: (session) => find(session) !== null,
  }
}
