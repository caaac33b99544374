import type { CompactionEntry, Entry, MessageEntry } from '@longhaul/engine/advanced'
import { describe, expect, it } from 'vitest'
import { collectTurn, messagesOf, textOf } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { waitForEvent } from '../testing/wait-for.ts'

const start = useAgents({ script: () => 'Here.', policy: { compaction: { memoryFlush: { enabled: false } } } })
const named: Entry = { type: 'settings', seq: 1, id: 'named', at: 1, title: 'named' }

function said(seq: number, id: string, role: MessageEntry['role'], text: string): MessageEntry {
  return { type: 'message', seq, id, at: seq, role, parts: [{ type: 'text', text }] }
}

/** Covers everything before it, and carries one message along. */
function compaction(seq: number, carried: MessageEntry): CompactionEntry {
  return {
    type: 'compaction',
    seq,
    id: 'c',
    at: seq,
    fromSeq: seq,
    firstKept: null,
    carried: [{ id: carried.id, seq: carried.seq }],
    previous: null,
    tokensBefore: 2,
    tokensAfter: 1,
    document: { version: 1, sections: [] },
    reason: 'threshold',
    strategy: 'longhaul',
    model: null,
  }
}

describe('a message that a compaction carries along', () => {
  const question = said(2, 'm1', 'user', 'Which gate?')

  it('is answered by the next owner, if it was not', async () => {
    const { store, agent, entries } = start()
    await store.sessions.create({ id: 's', createdAt: 1, entries: [named, question, compaction(3, question)] })
    await agent.resume('s')
    const events = await collectTurn(store, 's', 'm1', 0)
    expect(events.find(({ type }) => type === 'response-complete')).toMatchObject({ turnId: 'm1', text: 'Here.' })
    expect(messagesOf(await entries('s')).map(textOf)).toEqual(['Which gate?', 'Here.'])
  })

  it('is not answered again, if its answer was summarised', async () => {
    const under = start()
    const answer: MessageEntry = { ...said(3, 'a1', 'assistant', 'The green one.'), finish: 'stop' }
    const stored = [named, question, answer, compaction(4, question)]
    await under.store.sessions.create({ id: 's', createdAt: 1, entries: stored })
    await under.agent.resume('s')
    await under.say('s', 'Thanks.')
    expect(under.model.calls).toHaveLength(1)
    expect(messagesOf(await under.entries('s')).map(textOf)).toEqual([
      'Which gate?',
      'The green one.',
      'Thanks.',
      'Here.',
    ])
  })
})

describe('an answer that failed when its owner went away', () => {
  it('was announced without its reason, though it was stored', async () => {
    const under = start()
    const failure = { code: 'provider-auth', message: 'invalid x-api-key' } as const
    const failed: MessageEntry = { ...said(3, 'a1', 'assistant', ''), parts: [], finish: 'error', failure }
    const entries = [named, said(2, 'm1', 'user', 'Which gate?'), failed]
    await under.store.sessions.create({ id: 's', createdAt: 1, entries })
    await under.store.events.add('s', 1, [{ turnId: 'm1', type: 'text-delta', text: 'The' }])
    await under.agent.resume('s')
    await under.say('s', 'And now?')
    const events = await collectTurn(under.store, 's', 'm1', 0)
    expect(events.find(({ type }) => type === 'error')).toEqual({ turnId: 'm1', type: 'error', ...failure })
  })
})

describe('an answer that was told in part when its owner went away', () => {
  it('is taken back before it is told from its start', async () => {
    const first = start({ script: () => ({ text: ['The gr'], breaksOff: { afterPieces: 1, how: 'hang' } }) })
    const { id } = await first.agent.createSession({ title: 'named' })
    await first.agent.send(id, { id: 'm1', text: 'Which gate?' })
    await waitForEvent(first.store, id, 'text-delta')
    await first.agent.close()
    const second = start({ store: first.store })
    await second.agent.resume(id)
    const events = await collectTurn(second.store, id, 'm1', 0)
    const told = events.filter(({ type }) => type === 'text-delta' || type === 'retry' || type === 'response-complete')
    expect(told).toMatchObject([
      { type: 'text-delta', text: 'The gr' },
      { type: 'retry', reason: 'interrupted' },
      { type: 'text-delta', text: 'Here.' },
      { type: 'response-complete', text: 'Here.' },
    ])
  })
})
