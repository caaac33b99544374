import type { JsonObject } from '@longhaul/engine/advanced'
import { expect, it } from 'vitest'
import { createWorkNote, readNotedCalls } from './work-note.ts'

function start() {
  const written: (JsonObject | null)[] = []
  return { written, work: createWorkNote(async (note) => void written.push(note)) }
}

it('a call is noted when somebody is asked about it, when it runs, and until its result is stored', async () => {
  const { written, work } = start()
  await work.ask('a')
  await work.ask('a')
  await work.begin('a')
  await work.end('a')
  expect(written.map(readNotedCalls)).toEqual([
    { asked: ['a'], allowed: [] },
    { asked: [], allowed: ['a'] },
    { asked: [], allowed: [] },
  ])
  expect(written.at(-1)).toBeNull()
  expect(work.left()).toBeNull()
})

it('a call that nobody was asked about costs no write', async () => {
  const { written, work } = start()
  await work.begin('a')
  await work.end('a')
  expect(written).toEqual([])
})

it('maintenance beside the conversation does not wipe out what waits for an answer', async () => {
  const { written, work } = start()
  await work.ask('a')
  await work.note({ work: 'compaction' })
  expect(written.at(-1)).toEqual({ work: 'compaction', asked: ['a'], toolCallIds: [] })
  await work.note(null)
  expect(written.at(-1)).toEqual(work.left())
  expect(readNotedCalls(work.left())).toEqual({ asked: ['a'], allowed: [] })
})

it('a note of an earlier version says what ran, and that nobody is known to have been asked', () => {
  expect(readNotedCalls({ work: 'tools', toolCallIds: ['a', 7] })).toEqual({ asked: [], allowed: ['a'] })
  expect(readNotedCalls(null)).toEqual({ asked: [], allowed: [] })
})
