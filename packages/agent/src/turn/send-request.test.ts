import { createView, restoreManifest } from '@longhaul/engine/advanced'
import type { Manifest } from '@longhaul/engine/advanced'
import { createInMemoryStore } from '@longhaul/store'
import { describe, expect, it } from 'vitest'
import { createTool } from '../testing/create-tool.ts'
import { SMALL_TALK, talkUntil } from '../testing/fill-session.ts'
import { useAgents } from '../testing/use-agents.ts'

const start = useAgents({
  windowTokens: 16_000,
  policy: { compaction: { memoryFlush: { enabled: false }, prepareRatio: 'off' } },
  script: ({ tools = [] }) =>
    tools.length === 0 ? '<summary>\n+ Goal: water the beds\n</summary>' : 'Noted. '.repeat(10),
})
const named = { title: 'named' }

describe('the manifest of a request', () => {
  it('is stored for every one, and can be read back, across compactions and owners', async () => {
    const store = createInMemoryStore()
    const first = start({ store })
    const { id } = await first.agent.createSession(named)
    await talkUntil(first, id, 'compact-completed')
    await first.say(id, 'Go on.')
    await first.agent.close()
    const second = start({ store })
    await second.say(id, 'And on.')
    const calls = [...first.model.calls, ...second.model.calls]
    const { items } = await store.requests.list(id, { limit: 200 })
    expect(items.map(({ manifest }) => manifest.number)).toEqual(
      Array.from({ length: calls.length }, (_, index) => calls.length - index),
    )
    const purposes = items.toReversed().map(({ manifest }) => manifest.purpose)
    expect(purposes).toEqual(calls.map(({ tools = [] }) => (tools.length > 0 ? undefined : 'summary')))
    expect(items.every(({ outcome }) => outcome?.['result'] === 'stop')).toBe(true)
    const bases = new Set(items.map(({ manifest }) => manifest.baseId))
    expect(bases.size).toBe(2)
  })

  it('has a number that was never used, also after the old ones were cleared away', async () => {
    const store = createInMemoryStore()
    const first = start({ store })
    const { id } = await first.agent.createSession(named)
    for (const text of ['One', 'Two', 'Three']) await first.say(id, text)
    await first.agent.close()
    expect(await store.requests.deleteBefore(Date.now() + 1)).toBe(2)
    const second = start({ store })
    await second.say(id, 'Four')
    expect(await store.requests.getLast(id)).toMatchObject({ manifest: { number: 4 } })
  })

  it('explains what was sent: the items, their state, the numbers of the plan, the bill', async () => {
    const under = start()
    const { id } = await under.agent.createSession(named)
    await under.agent.request(id, 'pin', { text: 'The gate is green.' })
    await under.say(id, 'Hello.', 'm1')
    const last = await under.store.requests.getLast(id)
    expect(last?.manifest).toMatchObject({
      number: 1,
      model: 'scripted/scripted',
      baseId: null,
      numbers: { windowTokens: 16_000, messages: 2 },
      repairs: expect.any(Array),
    })
    expect(last?.manifest.items.map(({ kind, state }) => [kind, state])).toEqual([
      ['pin', 'verbatim'],
      ['user', 'verbatim'],
    ])
    expect(last?.manifest.items.some(({ id: item }) => item === 'm1')).toBe(true)
    expect(last?.outcome).toMatchObject({ result: 'stop', usage: { input: expect.any(Number) } })
  })

  it('of a request that failed says why', async () => {
    const under = start({ script: () => ({ fails: new Error('down') }) })
    const { id } = await under.agent.createSession(named)
    await under.say(id, 'Hello.')
    expect((await under.store.requests.getLast(id))?.outcome).toMatchObject({ result: expect.stringMatching(/\w+/) })
  })

  it('is stored against the one before it, and restores to the whole', async () => {
    const under = start()
    const { id } = await under.agent.createSession(named)
    for (let turn = 1; turn <= 3; turn += 1) await under.say(id, `Message ${turn}. ${SMALL_TALK}`)
    const stored = (await Array.fromAsync(under.store.dump())).flatMap((record) =>
      record.type === 'request' ? [record.manifest] : [],
    )
    expect(stored.map(({ isFull }) => isFull)).toEqual([true, false, false])
    let previous: Manifest | null = null
    for (const manifest of stored) previous = restoreManifest(manifest, previous)
    expect(previous?.items).toHaveLength(5)
    const { state, policy } = (await under.agent.inspect(id)).context
    expect(
      createView(state, policy)
        .items.slice(0, 5)
        .map(({ key }) => key),
    ).toEqual(previous?.items.map(({ key }) => key))
  })

  it('holds nothing up where it cannot be stored', async () => {
    const under = start()
    const { id } = await under.agent.createSession(named)
    under.store.requests.add = () => Promise.reject(new Error('disk full'))
    const events = await under.say(id, 'Hello.')
    expect(events.map(({ type }) => type)).toContain('response-complete')
    expect(under.lines.map(({ event }) => event)).toContain('manifest-lost')
  })
})

describe('what endpoints teach', () => {
  it('LH-01 the meter learns from bills, for all sessions of the model', async () => {
    const under = start({ scripted: { countTokens: (text) => Math.ceil(text.length / 2) } })
    const { id } = await under.agent.createSession(named)
    for (let turn = 1; turn <= 4; turn += 1) await under.say(id, `Message ${turn}. ${SMALL_TALK.repeat(3)}`)
    const { calibrations } = await under.store.learned.get('scripted/scripted')
    expect(Object.keys(calibrations)).not.toEqual([])
    const other = await under.agent.createSession(named)
    expect((await under.agent.inspect(other.id)).context.calibration.ratio).toBeGreaterThan(1.5)
  })

  it('an answer is not lost because what was learnt from it cannot be kept', async () => {
    const under = start({ scripted: { countTokens: (text) => Math.ceil(text.length / 2) } })
    const { id } = await under.agent.createSession(named)
    under.store.learned.setCalibration = () => Promise.reject(new Error('disk full'))
    const events = await under.say(id, `Message. ${SMALL_TALK}`)
    expect(events.map(({ type }) => type)).toContain('response-complete')
    expect(under.lines.map(({ event }) => event)).toContain('learning-lost')
  })
})

describe('what surrounds the messages', () => {
  it('a change is recorded with its sizes, and takes effect where no warm cache is broken', async () => {
    let system = 'You help.'
    let now = Date.parse('2026-11-15T10:00:00Z')
    const under = start({
      now: () => now,
      idleMs: 1,
      ownTools: [createTool('look')],
      surroundingsFor: async () => ({ system, files: [{ name: 'AGENTS.md', text: 'Be kind.' }] }),
    })
    const { id } = await under.agent.createSession(named)
    await under.say(id, 'One')
    system = 'You help gardeners.'
    await under.say(id, 'Two')
    const sentTo = (index: number): string => JSON.stringify(under.model.calls[index]?.prompt[0])
    expect(sentTo(1)).toBe(sentTo(0))
    now += 3_600_000
    await under.agent.close()
    const again = start({ store: under.store, now: () => now, surroundingsFor: async () => ({ system, files: [] }) })
    await again.say(id, 'Three')
    expect(JSON.stringify(again.model.calls[0]?.prompt[0])).toContain('You help gardeners.')
    const changes = (await again.entries(id)).filter(({ type }) => type === 'environment')
    expect(changes.length).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify(changes[0])).toContain('AGENTS.md')
  })

  it('what cannot be read later stays as it was', async () => {
    let isBroken = false
    const under = start({
      surroundingsFor: async () => {
        if (isBroken) throw new Error('permission denied')
        return { system: 'You help.', files: [] }
      },
    })
    const { id } = await under.agent.createSession(named)
    await under.say(id, 'One')
    isBroken = true
    await under.agent.request(id, 'settings', { policy: { bootstrapMaxChars: 10_000 } })
    const events = await under.say(id, 'Two')
    expect(events.map(({ type }) => type)).toContain('response-complete')
    expect(JSON.stringify(under.model.calls.at(-1)?.prompt[0])).toContain('You help.')
  })
})

describe('lines brought back', () => {
  const fact = 'Hendricks, the plumber, repairs the greenhouse boiler from inside the cellar.'

  it('stand at the end of the request that asks about them, and are explained', async () => {
    const under = start()
    const { id } = await under.agent.createSession(named)
    await under.say(id, 'Hello.')
    await under.say(id, `${'The soil is good. '.repeat(20)}\n${fact}\n${'The sun is out. '.repeat(20)}`)
    await talkUntil(under, id, 'compact-completed')
    await under.say(id, 'From where does the plumber repair the greenhouse boiler?')
    const asked = under.model.calls.findLast(({ tools = [] }) => tools.length > 0)
    expect(JSON.stringify(asked?.prompt.at(-1))).toContain(fact)
    const last = await under.store.requests.getLast(id)
    expect(last?.manifest.items.at(-1)).toMatchObject({ kind: 'recalled' })
    await under.say(id, 'Thanks.')
    const next = under.model.calls.findLast(({ tools = [] }) => tools.length > 0)
    expect(JSON.stringify(next?.prompt)).not.toContain(fact)
  })
})
