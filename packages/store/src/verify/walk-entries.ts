import { setImmediate } from 'node:timers/promises'
import type { Entry } from '@longhaul/engine/advanced'
import type { Store } from '../port/store.ts'
import { WALK_ENTRIES } from '../records/page.ts'
import { StoreError } from '../store-error.ts'

export type Walked =
  | { readonly seq: number; readonly entry: Entry }
  | { readonly seq: number; readonly entry: null; readonly fault: 'missing' | 'damaged' }

/** Every number from 1 to `lastSeq`, with the entry that is there or what is wrong. A damaged row does not hide the others. */
export async function* walkEntries(store: Store, sessionId: string, lastSeq: number): AsyncGenerator<Walked> {
  for (let from = 1; from <= lastSeq; from += WALK_ENTRIES) {
    // Some stores answer without ever letting others have their turn.
    await setImmediate()
    const to = Math.min(from + WALK_ENTRIES - 1, lastSeq)
    const entries = await readOrNull(store, sessionId, from, to)
    if (entries === null) yield* walkOneByOne(store, sessionId, from, to)
    else yield* inPlace(entries, from, to)
  }
}

async function* walkOneByOne(store: Store, sessionId: string, from: number, to: number): AsyncGenerator<Walked> {
  for (let seq = from; seq <= to; seq += 1) {
    const entries = await readOrNull(store, sessionId, seq, seq)
    if (entries === null) yield { seq, entry: null, fault: 'damaged' }
    else yield* inPlace(entries, seq, seq)
  }
}

function* inPlace(entries: readonly Entry[], from: number, to: number): Generator<Walked> {
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]))
  for (let seq = from; seq <= to; seq += 1) {
    const entry = bySeq.get(seq)
    yield entry === undefined ? { seq, entry: null, fault: 'missing' } : { seq, entry }
  }
}

/** null: one of them is damaged. */
async function readOrNull(store: Store, sessionId: string, from: number, to: number): Promise<readonly Entry[] | null> {
  try {
    return await store.entries.read(sessionId, { from, to, limit: WALK_ENTRIES })
  } catch (error) {
    if (error instanceof StoreError && error.code === 'damaged') return null
    throw error
  }
}
