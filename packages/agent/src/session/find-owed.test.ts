import { foldEntry, foldEntries } from '@longhaul/engine/advanced'
import type { Entry, MessageEntry } from '@longhaul/engine/advanced'
import { createInMemoryStore, createOwner, importTranscript } from '@longhaul/store'
import { describe, expect, it } from 'vitest'
import { createTool } from '../testing/create-tool.ts'
import { collectTurn, messagesOf, textOf } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { readOwed } from './find-owed.ts'

const start = useAgents()
const QUESTION = JSON.stringify({ id: 'old', messages: [{ role: 'user', content: 'Delete everything?' }] })
/** Of this program's own making, with what its owner left behind. */
const OWN = [
  { type: 'session', version: 1, id: 'old', createdAt: 1 },
  { type: 'environment', seq: 1, id: 'e1', at: 1, hash: 'h', parts: {} },
  { type: 'message', seq: 2, id: 'm1', at: 2, role: 'user', parts: [{ type: 'text', text: 'Delete everything?' }] },
  {
    type: 'message',
    seq: 3,
    id: 'a1',
    at: 3,
    role: 'assistant',
    finish: 'tool-calls',
    parts: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'erase', input: {} }],
  },
]
  .map((line) => JSON.stringify(line))
  .join('\n')

describe('a conversation that was imported and ends with a question', () => {
  it.each([
    ['of another program', QUESTION],
    ['of Longhaul', OWN],
  ])('%s: is owed nothing when it is opened, pinned to or set', async (_, text) => {
    const erase = createTool('erase', { permit: () => ({ verdict: 'ask', reason: 'It erases.' }) })
    const { agent, store, model } = start({ ownTools: [erase] })
    await importTranscript(store, text)
    await agent.resume('old')
    await agent.request('old', 'pin', { text: 'Keep calm.' })
    await agent.request('old', 'settings', { title: 'Old' })
    expect(await readOwed(store, 'old')).toBeNull()
    expect(model.calls).toHaveLength(0)
  })

  it('is answered in the light of it once somebody writes', async () => {
    const under = start({ script: () => 'No.' })
    await importTranscript(under.store, QUESTION)
    await under.agent.request('old', 'settings', { title: 'Old' })
    await under.say('old', 'Well?')
    expect(messagesOf(await under.entries('old')).map(textOf)).toEqual(['Delete everything?', 'Well?', 'No.'])
    expect(under.model.calls).toHaveLength(1)
  })

  it('what is asked here afterwards is owed its answer after a crash', async () => {
    const store = createInMemoryStore()
    await importTranscript(store, QUESTION)
    const { head } = (await store.sessions.get('old')) ?? {}
    if (head === undefined) throw new Error('not imported')
    const acquired = await store.leases.acquire('old', createOwner())
    if (!acquired.ok) throw new Error('not free')
    const entry: MessageEntry = { type: 'message', seq: 2, id: 'm2', at: 2, role: 'user', parts: [] }
    const state = foldEntry(foldEntries(await store.entries.read('old', {})), entry)
    await store.entries.append({ lease: acquired.lease, entries: [entry], head: state.head })
    expect(await readOwed(store, 'old')).toEqual({ id: 'm2', seq: 2 })
    await store.close()
  })
})

it('a head that an older version folded is put right before it is asked', async () => {
  const store = createInMemoryStore()
  const asked: Entry = { type: 'message', seq: 1, id: 'm1', at: 1, role: 'user', parts: [] }
  await store.sessions.create({ id: 's', createdAt: 1, entries: [asked] })
  const acquired = await store.leases.acquire('s', createOwner())
  if (!acquired.ok) throw new Error('not free')
  const pin: Entry = { type: 'pin', seq: 2, id: 'p', at: 2, text: 'x' }
  const { owed: _, ...older } = { ...foldEntries([asked, pin]).head, foldVersion: 2 }
  await store.entries.append({ lease: acquired.lease, entries: [pin], head: { ...older, owed: null } })
  expect(await readOwed(store, 's')).toEqual({ id: 'm1', seq: 1 })
  expect(await readOwed(store, 'nobody')).toBeNull()
  await store.close()
})

it('a session whose head is of an older version is answered all the same', async () => {
  const under = start({ script: () => 'Here.' })
  const asked: Entry = { type: 'message', seq: 1, id: 'm1', at: 1, role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
  await under.store.sessions.create({ id: 's', createdAt: 1, entries: [asked] })
  const acquired = await under.store.leases.acquire('s', createOwner())
  if (!acquired.ok) throw new Error('not free')
  const named: Entry = { type: 'settings', seq: 2, id: 'named', at: 2, title: 'named' }
  const head = { ...foldEntries([asked, named]).head, foldVersion: 2, owed: null }
  await under.store.entries.append({ lease: acquired.lease, entries: [named], head })
  await under.store.leases.release(acquired.lease)
  await under.agent.resume('s')
  const events = await collectTurn(under.store, 's', 'm1', 0)
  expect(events.find(({ type }) => type === 'response-complete')).toMatchObject({ text: 'Here.' })
  expect((await under.store.sessions.get('s'))?.head).toMatchObject({
    foldVersion: foldEntries([]).head.foldVersion,
    owed: null,
  })
})
