import type { SessionRecord } from '@longhaul/runtime'
import { expect, it } from 'vitest'
import { keepUntilChanged } from './keep-until-changed.ts'

function session(id: string, lastSeq: number) {
  return { id, head: { lastSeq } as SessionRecord['head'] }
}

it('reads once until something is added, and again after a failure', async () => {
  const asked: string[] = []
  let isBroken = false
  const read = async (id: string): Promise<number> => {
    asked.push(id)
    if (isBroken) throw new Error('broken')
    return asked.length
  }
  const kept = keepUntilChanged({ read, maxSessions: 2 })
  expect(await Promise.all([kept.read(session('a', 1)), kept.read(session('a', 1))])).toEqual([1, 1])
  expect(await kept.read(session('b', 1))).toBe(2)
  expect(await kept.read(session('a', 2))).toBe(3)
  isBroken = true
  await expect(kept.read(session('a', 3))).rejects.toThrow('broken')
  isBroken = false
  expect(await kept.read(session('a', 3))).toBe(5)
  expect(asked).toEqual(['a', 'b', 'a', 'a', 'a'])
})

it('forgets what was read longest ago', async () => {
  const kept = keepUntilChanged({ read: async (id) => id, maxSessions: 2 })
  for (const id of ['a', 'b', 'c']) await kept.read(session(id, 1))
  expect(['a', 'b', 'c'].filter((id) => kept.has(session(id, 1)))).toEqual(['b', 'c'])
  expect(kept.has(session('c', 2))).toBe(false)
})
