import { createState, foldEntries } from '@longhaul/engine/advanced'
import type { MessageEntry } from '@longhaul/engine/advanced'
import type { Store } from '@longhaul/store/port'
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
export async function createWriter(store: Store, id: string) {
  await store.sessions.create({ id, createdAt: START_AT })
  const acquired = await store.leases.acquire(id, { id: 'bench', host: 'bench', pid: 0, startedAt: '' })
  if (!acquired.ok) throw new Error(`Somebody else has session ${id}.`)
  const { lease } = acquired
  let state = createState()
  return {
    async append(): Promise<void> {
      const entries = [createEntry(state.head.lastSeq + 1)]
      state = foldEntries(entries, state)
      await store.entries.append({ lease, entries, head: state.head })
    },
  }
}
