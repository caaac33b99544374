import type { Entry, MessageEntry } from '@longhaul/runtime'
import { expect, it } from 'vitest'
import { openRuntime } from '../testing/start-app.ts'
import { hasOpenCall, isAtWork, owesAnswer } from './open-work.ts'

const CALLS = Array.from({ length: 120 }, (_, index) => `c${index}`)

function message(seq: number, role: MessageEntry['role'], parts: MessageEntry['parts']): MessageEntry {
  return { type: 'message', seq, id: `e${seq}`, at: seq, role, parts }
}

const asked = message(1, 'user', [{ type: 'text', text: 'Look everywhere' }])
const answer = message(
  2,
  'assistant',
  CALLS.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'look', input: {} })),
)
const results = CALLS.slice(1).map((toolCallId, index) =>
  message(3 + index, 'tool', [{ type: 'tool-result', toolCallId, toolName: 'look', output: 'dry' }]),
)

it('a call waits, however many results of others stand behind it', async () => {
  const { store } = await openRuntime()
  await store.sessions.create({ id: 's', createdAt: 1, entries: [asked, answer, ...results] })
  expect(await hasOpenCall(store, 's', 'c0')).toBe(true)
  expect(await hasOpenCall(store, 's', 'c1')).toBe(false)
  expect(await hasOpenCall(store, 's', 'c119')).toBe(false)
  expect(await hasOpenCall(store, 's', 'nobody')).toBe(false)
})

it('a question is owed its answer, however much was done behind it', async () => {
  const { store } = await openRuntime()
  const pins = CALLS.map((id, index): Entry => ({ type: 'pin', seq: index + 2, id, at: 1, text: 'x' }))
  await store.sessions.create({ id: 's', createdAt: 1, entries: [asked, ...pins] })
  expect(await owesAnswer(store, 's')).toBe(true)
  await store.sessions.create({ id: 'other', createdAt: 1, header: { importedSeq: 1 }, entries: [asked, ...pins] })
  expect(await owesAnswer(store, 'other')).toBe(false)
})

it('a flush beside a turn neither ends it nor keeps it going', async () => {
  const { store } = await openRuntime()
  await store.sessions.create({ id: 's', createdAt: 1 })
  await store.leases.acquire('s', { id: 'owner', host: 'here', pid: 1, startedAt: '' })
  const tell = (type: string, turnId: string | null) => store.events.add('s', 1, [{ type, turnId }])
  await tell('response-complete', 'm1')
  await tell('flush-completed', null)
  expect(await isAtWork(store, 's')).toBe(true)
  await tell('done', 'm1')
  await tell('flush-started', null)
  expect(await isAtWork(store, 's')).toBe(false)
})
