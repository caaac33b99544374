import { createState, foldEntries } from '@longhaul/engine/advanced'
import type { MessageEntry, State } from '@longhaul/engine/advanced'
import type { Lease, Store } from '@longhaul/store/port'
import { createRandom } from '../speed/random.ts'
import { createText } from '../speed/text.ts'

/** Gives an entry of about 540 bytes, half of the messages of recorded sessions are smaller. */
const TEXT_CHARS = 360
const START_AT = 1_700_000_000_000

const texts = Array.from({ length: 500 }, (_, number) => createText(createRandom(number), 'prose', TEXT_CHARS))

export function createEntry(seq: number): MessageEntry {
  const text = texts[seq % texts.length] ?? ''
  return { type: 'message', seq, id: `entry-${seq}`, at: START_AT + seq, role: 'user', parts: [{ type: 'text', text }] }
}

/** A session that is appended to as the agent does: folded first, then stored. */
export interface BenchWriter {
  append(): Promise<void>
}

export async function createWriter(store: Store, id: string): Promise<BenchWriter> {
  await store.sessions.create({ id, createdAt: START_AT })
  const lease = await takeLease(store, id)
  let state: State = createState()
  return {
    async append() {
      const entries = [createEntry(state.head.lastSeq + 1)]
      state = foldEntries(entries, state)
      await store.entries.append({ lease, entries, head: state.head })
    },
  }
}

async function takeLease(store: Store, id: string): Promise<Lease> {
  const acquired = await store.leases.acquire(id, { id: 'bench', host: 'bench', pid: 0, startedAt: '' })
  if (!acquired.ok) throw new Error(`Somebody else has session ${id}.`)
  return acquired.lease
}
