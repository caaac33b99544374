import { foldEntries } from '@longhaul/engine/advanced'
import type { Entry } from '@longhaul/engine'
import { createInMemoryStore, createOwner } from '@longhaul/store'
import type { Append, Store } from '@longhaul/store/port'
import { expect, it } from 'vitest'
import { writeBehind } from './write-behind.ts'

const said = (seq: number): Entry => ({
  type: 'message',
  id: `m${seq}`,
  at: seq,
  seq,
  role: 'user',
  parts: [{ type: 'text', text: `Say ${seq}.` }],
})
const pinned = (seq: number): Entry => ({ type: 'pin', id: `p${seq}`, at: seq, seq, text: 'Keep this.' })

/** A store whose appends wait until they are let go, or fail. */
async function stand() {
  const own = createInMemoryStore()
  const waiting: ((error?: Error) => void)[] = []
  const slow: Store = {
    ...own,
    entries: {
      ...own.entries,
      async append(step: Append) {
        await new Promise<void>((resolve, reject) => {
          waiting.push((error) => (error === undefined ? resolve() : reject(error)))
        })
        await own.entries.append(step)
      },
    },
  }
  const store = writeBehind(slow)
  await own.sessions.create({ id: 's', createdAt: 0, entries: [said(1)] })
  const acquired = await store.leases.acquire('s', createOwner())
  if (!acquired.ok) throw new Error('The session is free.')
  const all = [said(1)]
  const append = (entry: Entry): Promise<void> => {
    all.push(entry)
    return store.entries.append({ lease: acquired.lease, entries: [entry], head: foldEntries(all).head })
  }
  return { store, append, waiting }
}

it('does not wait for messages, but for whatever else is written, and for all before it', async () => {
  const { store, append, waiting } = await stand()
  await append(said(2))
  let isPinned = false
  const pinning = append(pinned(3)).then(() => (isPinned = true))
  const reading = store.entries.read('s', {})
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect([waiting.length, isPinned]).toEqual([1, false])
  waiting[0]?.()
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect([waiting.length, isPinned]).toEqual([2, false])
  waiting[1]?.()
  await pinning
  expect((await reading).map(({ seq }) => seq)).toEqual([1, 2, 3])
})

it('tells of a failure at the next entry that must be kept, once', async () => {
  const { append, waiting } = await stand()
  await append(said(2))
  const pinning = append(pinned(3))
  pinning.catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 10))
  waiting[0]?.(new Error('full'))
  await expect(pinning).rejects.toThrow('full')
  const again = append(pinned(4))
  again.catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(waiting).toHaveLength(2)
})
