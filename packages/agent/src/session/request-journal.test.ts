import { renderParts } from '@longhaul/engine/advanced'
import type { Manifest, StoredManifest } from '@longhaul/engine/advanced'
import { createInMemoryStore } from '@longhaul/store'
import type { Store } from '@longhaul/store/port'
import { beforeEach, describe, expect, it } from 'vitest'
import { describeRequest } from '../inspect/describe-request.ts'
import { SMALL_TALK, talkUntil } from '../testing/fill-session.ts'
import type { AgentUnderTest } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { waitForTitle, waitUntil } from '../testing/wait-for.ts'
import { createRequestJournal } from '@longhaul/engine/advanced'

const start = useAgents({
  windowTokens: 16_000,
  price: { input: 1, output: 1 },
  script: ({ tools = [], prompt }) => {
    const last = JSON.stringify(prompt.at(-1))
    if (last.includes('Give a title')) return 'Dry beds'
    if (tools.length === 0) return '<summary>\n+ Goal: water the beds\n</summary>'
    return last.includes('NO_REPLY') ? 'NO_REPLY' : 'Noted.'
  },
})

async function readManifests({ store }: AgentUnderTest, id: string): Promise<readonly StoredManifest[]> {
  const records = await Array.fromAsync(store.dump())
  return records.flatMap((record) => (record.type === 'request' && record.sessionId === id ? [record.manifest] : []))
}

describe('every call to a model', () => {
  it('has a manifest with what it was for, what it was about, and its bill', async () => {
    const under = start({ policy: { compaction: { prepareRatio: 'off' } } })
    const { id } = await under.agent.createSession()
    await under.say(id, 'Which bed is dry?', 'm1')
    await waitForTitle(under.store, id)
    await talkUntil(under, id, 'compact-completed')
    await under.agent.close()
    const { items } = await under.store.requests.list(id, { limit: 200 })
    expect(items).toHaveLength(under.model.calls.length)
    const purposes = items.map(({ manifest }) => manifest.purpose ?? 'turn')
    expect(new Set(purposes)).toEqual(new Set(['turn', 'title', 'flush', 'summary']))
    for (const { manifest, outcome } of items) {
      expect(manifest.items.length).toBeGreaterThan(0)
      expect(manifest.tokens.tokens).toBeGreaterThan(0)
      expect(outcome).toMatchObject({
        result: 'stop',
        usage: { input: expect.any(Number), costUsd: expect.any(Number) },
      })
    }
    const costs = items.map(({ outcome }) => (outcome?.['usage'] as { costUsd: number } | undefined)?.costUsd ?? NaN)
    const { head } = (await under.store.sessions.get(id)) ?? {}
    expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(head?.totals.costUsd ?? 0, 12)
    const title = items.find(({ manifest }) => manifest.purpose === 'title')?.manifest
    expect(title?.items).toMatchObject([
      { id: 'm1', kind: 'user', state: 'verbatim' },
      { kind: 'assistant', state: 'verbatim' },
    ])
  })

  it('can be opened again: what a summary, a title and a flush were about', async () => {
    const under = start({ policy: { compaction: { prepareRatio: 'off' } } })
    const { id } = await under.agent.createSession()
    await under.say(id, 'Which bed is dry?', 'm1')
    await waitForTitle(under.store, id)
    await talkUntil(under, id, 'compact-completed')
    const view = await under.agent.inspect(id)
    const { items } = await under.store.requests.list(id, { limit: 200 })
    const open = (purpose: Manifest['purpose']) => {
      // The first of its kind: a later summary call reads later messages.
      const found = items.findLast(({ manifest }) => manifest.purpose === purpose)
      return describeRequest(under.store, view, found?.manifest.number ?? 0)
    }
    const title = await open('title')
    expect(title).toMatchObject({
      purpose: 'title',
      exact: false,
      items: [{ text: 'Which bed is dry?' }, { text: 'Noted.' }],
    })
    expect(title?.reason).toContain('words of its own')
    const summary = await open('summary')
    expect(summary?.items.map(({ text }) => text)).toContain('Which bed is dry?')
    const flush = await open('flush')
    expect(flush).toMatchObject({
      exact: false,
      items: expect.arrayContaining([expect.objectContaining({ id: 'user:m1' })]) as unknown,
    })
    expect(flush?.reason).toContain('save memory')
  })

  it('for a summary names what that call held, in the form it held it, and nothing twice', async () => {
    const under = start({ policy: { compaction: { prepareRatio: 'off', memoryFlush: { enabled: false } } } })
    const { id } = await under.agent.createSession({ title: 'named' })
    await under.say(id, `The first bed. ${'It is dry. '.repeat(900)}`)
    await talkUntil(under, id, 'compact-completed')
    await under.agent.close()
    const { items } = await under.store.requests.list(id, { limit: 200 })
    const summaries = items.filter(({ manifest }) => manifest.purpose === 'summary').map(({ manifest }) => manifest)
    expect(summaries.length).toBeGreaterThan(1)
    const held = summaries.flatMap((manifest) => manifest.items)
    expect(new Set(held.map((item) => item.id)).size).toBe(held.length)
    expect(held.map(({ state }) => state)).toContain('verbatim')
    for (const { number, items: own } of summaries) {
      const prompt = JSON.stringify(under.model.calls[number - 1]?.prompt)
      for (const item of own.filter(({ state }) => state === 'verbatim')) {
        const entry = await under.store.entries.find(id, item.id)
        const text = entry?.type === 'message' ? renderParts(entry.parts) : 'no message'
        expect(prompt).toContain(text)
      }
    }
  })

  it('for a title says that a long question was cut', async () => {
    const under = start()
    const { id } = await under.agent.createSession()
    await under.say(id, `Which bed is dry? ${SMALL_TALK.repeat(3)}`)
    await waitForTitle(under.store, id)
    await under.agent.close()
    const { items } = await under.store.requests.list(id, { limit: 200 })
    const title = items.find(({ manifest }) => manifest.purpose === 'title')?.manifest
    expect(title?.items.map(({ state }) => state)).toEqual(['soft-trimmed', 'verbatim'])
    expect(title?.items[0]?.tokens).toBeLessThan(1_500)
  })

  it('that fails says how', async () => {
    const under = start({
      policy: { compaction: { prepareRatio: 'off', memoryFlush: { enabled: false } } },
      script: ({ tools = [] }) => (tools.length === 0 ? { fails: new Error('down') } : 'Noted.'),
    })
    const { id } = await under.agent.createSession({ title: 'named' })
    await talkUntil(under, id, 'compact-completed')
    await under.agent.close()
    const { items } = await under.store.requests.list(id, { limit: 200 })
    const failed = items.filter(({ manifest }) => manifest.purpose === 'summary')
    expect(failed.length).toBeGreaterThanOrEqual(2)
    for (const { outcome } of failed)
      expect(outcome).toEqual({ result: expect.stringMatching(/^(?!stop)\w+/) as string })
  })

  it('beats too; and what the conversation sends goes on from its own last request', async () => {
    let now = Date.parse('2026-11-15T10:00:00Z')
    const first = start({
      now: () => now,
      idleMs: 1,
      policy: { heartbeat: { every: 60_000 } },
    })
    const { id } = await first.agent.createSession({ title: 'named' })
    await first.say(id, `One. ${SMALL_TALK}`)
    now += 60_000
    // Its owner may be waiting by the clock of before.
    await first.agent.resume(id)
    await waitUntil(first.store, async () => (await first.store.requests.getLastNumber(id)) >= 2)
    await first.agent.close()
    const second = start({ store: first.store, now: () => now })
    await second.say(id, 'Two.')
    await second.agent.close()
    const stored = await readManifests(second, id)
    expect(stored[1]).toMatchObject({ purpose: 'heartbeat' })
    const turns = stored.filter(({ purpose }) => purpose === undefined)
    expect(turns).toHaveLength(2)
    // The one item of the first request; the answer and the new message come behind it.
    expect(turns[1]).toMatchObject({ samePrefixItems: 1, isFull: true })
    expect(turns[1]?.itemsAfter).toHaveLength(3)
  })
})

describe('the journal', () => {
  let store: Store
  const manifest: Omit<Manifest, 'number'> = {
    at: 1,
    model: 'm',
    environmentHash: 'e',
    baseId: null,
    items: [{ key: 'a', id: 'a', kind: 'user', state: 'verbatim', tokens: 1 }],
    tokens: { source: 'estimated', tokens: 1, reportedTokens: 0 },
    numbers: null,
    repairs: [],
    bytes: 1,
    bytesHash: 'b',
  }
  beforeEach(async () => {
    store = createInMemoryStore()
    await store.sessions.create({ id: 's', createdAt: 1 })
  })

  it('gives calls that start at once numbers of their own', async () => {
    const journal = createRequestJournal({ requests: store.requests, sessionId: 's', onLost: () => undefined })
    const noted = [journal.note(manifest), journal.note({ ...manifest, purpose: 'title' }), journal.note(manifest)]
    expect(await Promise.all(noted)).toEqual([1, 2, 3])
    await journal.drain()
    expect((await store.requests.list('s', {})).items.map((item) => item.manifest.purpose)).toEqual([
      undefined,
      'title',
      undefined,
    ])
  })

  it('starts the cache report anew where nothing but asides is left', async () => {
    await store.requests.add('s', {
      ...manifest,
      number: 9,
      purpose: 'title',
      samePrefixItems: 0,
      itemsAfter: [],
      isFull: true,
    })
    const journal = createRequestJournal({ requests: store.requests, sessionId: 's', onLost: () => undefined })
    expect(await journal.note(manifest)).toBe(10)
    await journal.drain()
    const [last] = (await Array.fromAsync(store.dump())).flatMap((record) =>
      record.type === 'request' && record.manifest.number === 10 ? [record.manifest] : [],
    )
    expect(last).toMatchObject({ samePrefixItems: 0, isFull: true })
  })
})
