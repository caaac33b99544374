import type { Script } from '@longhaul/models/testing'
import { describe, expect, it } from 'vitest'
import { SMALL_TALK, talkUntil } from '../testing/fill-session.ts'
import { collectTurn } from '../testing/start-agent.ts'
import type { AgentUnderTest, StartOptions } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { waitUntil } from '../testing/wait-for.ts'

type Request = Parameters<Extract<Script, (...args: never[]) => unknown>>[0]

const isSummary = ({ tools = [] }: Request): boolean => tools.length === 0
const startAgents = useAgents({
  windowTokens: 16_000,
  policy: { compaction: { prepareRatio: 0.55, keepRatio: 0.2, memoryFlush: { enabled: false } } },
  script: (request) => (isSummary(request) ? '<summary>\n+ Goal: water the beds\n</summary>' : 'Noted. '.repeat(10)),
})
const named = { title: 'named' }

interface Preparing extends AgentUnderTest {
  /** How many summaries were made so far. */
  readonly made: () => number
  /** Says small talk until one more summary is made beside the conversation. */
  readonly talkUntilPrepared: (sessionId: string) => Promise<void>
}

function start(options: StartOptions = {}): Preparing {
  let made = 0
  let ready = Promise.withResolvers<void>()
  const under = startAgents({
    ...options,
    log({ event }) {
      if (event !== 'compaction-end') return
      made += 1
      ready.resolve()
    },
  })
  return {
    ...under,
    made: () => made,
    async talkUntilPrepared(sessionId) {
      ready = Promise.withResolvers()
      const before = under.model.calls.filter(isSummary).length
      for (let turn = 1; under.model.calls.filter(isSummary).length === before; turn += 1) {
        if (turn > 60) throw new Error('nothing is prepared')
        await under.say(sessionId, `Message ${turn}. ${SMALL_TALK}`)
      }
      await ready.promise
    },
  }
}

describe('a summary made beside the conversation', () => {
  it('is used at the threshold: nobody waits for a summary then, and one is paid for', async () => {
    const under = start()
    const { id } = await under.agent.createSession(named)
    const events = await talkUntil(under, id, 'compact-completed')
    const told = events.flatMap((event) => (event.type.startsWith('compact-') ? [event] : []))
    expect(told).toMatchObject([{ type: 'compact-completed', didCompact: true, fallback: null }])
    expect(under.made()).toBe(1)
    const compaction = (await under.entries(id)).find(({ type }) => type === 'compaction')
    expect(compaction).toMatchObject({ reason: 'prepared' })
  })

  it('is not waited for after a cancel; the next message is answered', async () => {
    let hangs = true
    const begun = Promise.withResolvers<void>()
    const under = startAgents({
      script: (request) => {
        if (!isSummary(request)) return 'Noted. '.repeat(10)
        begun.resolve()
        return hangs ? { hangs: true } : '<summary>\n+ Goal: water the beds\n</summary>'
      },
    })
    const { id } = await under.agent.createSession(named)
    for (let turn = 1; under.model.calls.every((call) => !isSummary(call)); turn += 1) {
      await under.say(id, `Message ${turn}. ${SMALL_TALK}`)
    }
    await begun.promise
    // Past the threshold, so that it cannot be answered before the summary is there.
    const { afterEvent } = await under.agent.send(id, { id: 'm1', text: `Now. ${SMALL_TALK.repeat(20)}` })
    await waitUntil(under.store, async () => (await under.entries(id)).some((entry) => entry.id === 'm1'))
    await under.agent.cancel(id)
    const events = await collectTurn(under.store, id, 'm1', afterEvent)
    expect(events.map(({ type }) => type)).not.toContain('response-complete')
    hangs = false
    expect((await under.say(id, 'Still there?')).map(({ type }) => type)).toContain('response-complete')
  })

  it('takes in what was said meanwhile: those messages are kept', async () => {
    const under = start()
    const { id } = await under.agent.createSession(named)
    await under.talkUntilPrepared(id)
    await under.say(id, `The ladder stands in bed nine. ${SMALL_TALK}`)
    await talkUntil(under, id, 'compact-completed')
    await under.say(id, 'Go on.')
    expect(JSON.stringify(under.model.calls.at(-1)?.prompt)).toContain('The ladder stands in bed nine.')
  })

  it('is used, not thrown away, when the session is given back', async () => {
    const under = start({ idleMs: 20 })
    const { id } = await under.agent.createSession(named)
    await under.talkUntilPrepared(id)
    await waitUntil(under.store, async () => (await under.store.leases.getOwner(id)) === null)
    expect((await under.entries(id)).filter(({ type }) => type === 'compaction')).toHaveLength(1)
    const events = await under.say(id, 'Go on.')
    expect(events.map(({ type }) => type)).toContain('response-complete')
    expect(under.made()).toBe(1)
  })

  it('is used when the program is shut down', async () => {
    const under = start()
    const { id } = await under.agent.createSession(named)
    await under.talkUntilPrepared(id)
    await under.agent.close()
    expect((await under.entries(id)).filter(({ type }) => type === 'compaction')).toHaveLength(1)
  })

  it('is given up when the program is shut down while it is made', async () => {
    const under = startAgents({
      script: (request) => (isSummary(request) ? { hangs: true } : 'Noted. '.repeat(10)),
    })
    const { id } = await under.agent.createSession(named)
    for (let turn = 1; !under.model.calls.some(isSummary); turn += 1) {
      await under.say(id, `Message ${turn}. ${SMALL_TALK}`)
    }
    await under.agent.close()
    const kinds = (await under.entries(id)).map(({ type }) => type)
    expect(kinds).not.toContain('compaction')
    expect(kinds).not.toContain('maintenance-failed')
  })

  it('is not used after the context has changed, but its bill counts', async () => {
    const under = start()
    const { id } = await under.agent.createSession(named)
    await under.talkUntilPrepared(id)
    await under.agent.request(id, 'reset', {})
    await under.agent.close()
    const entries = await under.entries(id)
    expect(entries.filter(({ type }) => type === 'compaction')).toEqual([])
    expect(entries.filter(({ type }) => type === 'bill')).toMatchObject([{ work: 'discarded' }])
  })

  it('is replaced by one that fits the context as it is now; both are paid for', async () => {
    const under = start()
    const { id } = await under.agent.createSession(named)
    await under.talkUntilPrepared(id)
    await under.agent.request(id, 'reset', {})
    await under.talkUntilPrepared(id)
    expect(under.made()).toBe(2)
    await under.agent.close()
    const entries = await under.entries(id)
    expect(entries.filter(({ type }) => type === 'bill')).toMatchObject([{ work: 'discarded' }])
    expect(entries.filter(({ type }) => type === 'compaction')).toHaveLength(1)
  })
})
