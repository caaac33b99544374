import { setTimeout } from 'node:timers/promises'
import type { JsonObject } from '@longhaul/engine/advanced'
import type { Script, ScriptedReply } from '@longhaul/models/testing'
import { createInMemoryStore } from '@longhaul/store'
import { describe, expect, it } from 'vitest'
import { readGauge } from '@longhaul/engine/advanced'
import { createTool } from '../testing/create-tool.ts'
import { SMALL_TALK } from '../testing/fill-session.ts'
import { collectTurn } from '../testing/start-agent.ts'
import type { AgentUnderTest, StartOptions } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { waitForEvent, waitUntil } from '../testing/wait-for.ts'

type Request = Parameters<Extract<Script, (...args: never[]) => unknown>>[0]

const startAgents = useAgents({ preset: 'longhaul', windowTokens: 32_000 })
const named = { title: 'named' }
/** In this window of 32,000 tokens memory is saved from 17,600 on, and a compaction is due from 25,600 on. */
const ALMOST_DUE_TOKENS = 16_200
const GRACE_MS = 50
/** About 3,700 tokens. */
const PAGE = SMALL_TALK.repeat(21)

const isSummary = ({ tools = [] }: Request): boolean => tools.length === 0
const isFlush = ({ prompt }: Request): boolean => JSON.stringify(prompt.slice(-4)).includes('housekeeping turn')
const read = (page: number): ScriptedReply => ({ toolCalls: [{ name: 'read_page', input: { page } }] })

interface Reading extends AgentUnderTest {
  readonly id: string
  /** A turn in which the model reads so many pages before it answers. */
  readonly sendReading: (pages: number) => Promise<{ readonly id: string; readonly afterEvent: number }>
  /** From here on the flush under way can end. */
  readonly endFlush: () => void
}

/** A conversation shortly before memory is to be saved, with a model whose flush takes as long as the test wants. */
async function startReading(options: StartOptions = {}): Promise<Reading> {
  const answers: ScriptedReply[] = []
  const { promise: mayEnd, resolve: endFlush } = Promise.withResolvers<void>()
  const under = startAgents({
    ownTools: [createTool('read_page', { run: async () => ({ output: PAGE }) })],
    script: async (request) => {
      if (isSummary(request)) return '<summary>\n+ Goal: water the beds\n</summary>'
      if (!isFlush(request)) return answers.shift() ?? 'Noted.'
      await mayEnd
      return 'NO_REPLY'
    },
    ...options,
  })
  const { id } = await under.agent.createSession(named)
  const tokens = async () => readGauge((await under.agent.inspect(id)).context).tokens ?? 0
  while ((await tokens()) < ALMOST_DUE_TOKENS) await under.say(id, `A message. ${SMALL_TALK.repeat(4)}`)
  return {
    ...under,
    id,
    endFlush,
    sendReading(pages) {
      answers.push(...Array.from({ length: pages }, (_, page) => read(page)), 'Read.')
      return under.agent.send(id, { text: 'Read on.' })
    },
  }
}

async function kindsOf({ entries, id }: Reading): Promise<readonly string[]> {
  return (await entries(id)).map(({ type }) => type)
}

describe('a flush beside the conversation', () => {
  it('OPEN-08 holds no answer up, and sees what was there when it began', async () => {
    const store = createInMemoryStore()
    const noted: (JsonObject | null)[] = []
    const setWork = store.leases.setWork.bind(store.leases)
    store.leases.setWork = (lease, work) => (noted.push(work), setWork(lease, work))
    const reading = await startReading({ store })
    const { id, model } = reading
    const turn = await reading.sendReading(1)
    const { text } = await waitForEvent(store, id, 'response-complete', turn.afterEvent)
    expect(text).toBe('Read.')
    expect(await kindsOf(reading), 'it has not ended').not.toContain('flush')
    reading.endFlush()
    const events = await collectTurn(store, id, turn.id, turn.afterEvent)
    const told = events.flatMap(({ type, turnId }) => (type.startsWith('flush-') ? [[type, turnId]] : []))
    expect(told).toEqual([
      ['flush-started', turn.id],
      ['flush-completed', turn.id],
    ])
    expect(events.at(-1)?.type, 'what follows the reply waits for it').toBe('done')
    expect(await kindsOf(reading)).toContain('flush')
    const flushes = model.calls.filter(isFlush)
    expect(flushes).toHaveLength(1)
    expect(JSON.stringify(flushes[0]?.prompt)).toContain(PAGE.slice(0, 2_000))
    expect(JSON.stringify(flushes[0]?.prompt)).not.toContain('Read.')
    // What tools a person has allowed stands there, and must not be written over.
    expect(noted.filter((work) => work?.['work'] === 'flush')).toEqual([])
  })

  it('LH-07 LH-08 that hangs holds up neither an answer nor a compaction', async () => {
    const reading = await startReading()
    const { id, store } = reading
    const turn = await reading.sendReading(3)
    await waitForEvent(store, id, 'response-complete', turn.afterEvent)
    await waitUntil(store, async () => (await kindsOf(reading)).includes('compaction'))
    expect(await kindsOf(reading), 'it has not ended').not.toContain('flush')
    expect((await reading.agent.send(id, { text: 'Still there?' })).status).toBe('new')
    await waitForEvent(store, id, 'response-complete', turn.afterEvent + 1)
    expect(reading.model.calls.filter(isFlush), 'it is tried once a cycle').toHaveLength(1)
  })

  it('OPEN-08 that outlives its cycle does not count for the next: what is said there is still to be saved', async () => {
    const reading = await startReading()
    const { id, store, agent } = reading
    const turn = await reading.sendReading(1)
    await waitForEvent(store, id, 'response-complete', turn.afterEvent)
    expect(await agent.request(id, 'reset', {}), 'a reset does not wait for it').toMatchObject({ ok: true })
    reading.endFlush()
    await waitUntil(store, async () => (await kindsOf(reading)).at(-1) === 'flush')
    const { head } = (await agent.inspect(id)).context.state
    expect(head).toMatchObject({ cycle: 1, flush: { cycle: null, failures: 0 } })
  })

  it('is given up when the program is shut down, and made by the next owner', async () => {
    const store = createInMemoryStore()
    const reading = await startReading({ store })
    const { id } = reading
    const { afterEvent } = await reading.sendReading(1)
    await waitForEvent(store, id, 'response-complete', afterEvent)
    await reading.agent.close()
    expect(await kindsOf(reading)).not.toContain('flush')
    const next = startAgents({ store, script: (request) => (isSummary(request) ? '' : 'NO_REPLY') })
    await next.say(id, 'Go on.')
    expect((await next.entries(id)).filter(({ type }) => type === 'flush')).toMatchObject([{ outcome: 'silent' }])
  })

  it('is waited for before a compaction by hand, and not made twice', async () => {
    const reading = await startReading()
    const { id, agent } = reading
    const turn = await reading.sendReading(1)
    await waitForEvent(reading.store, id, 'response-complete', turn.afterEvent)
    const compacted = agent.request(id, 'compact', {})
    await setTimeout(GRACE_MS)
    reading.endFlush()
    expect(await compacted).toMatchObject({ ok: true })
    const kinds = (await kindsOf(reading)).filter((kind) => kind === 'flush' || kind === 'compaction')
    expect(kinds).toEqual(['flush', 'compaction'])
    expect(reading.model.calls.filter(isFlush)).toHaveLength(1)
  })
})
