import type { JsonObject } from '@longhaul/engine/advanced'
import type { Script, ScriptedReply } from '@longhaul/models/testing'
import { createInMemoryStore } from '@longhaul/store'
import type { Store } from '@longhaul/store/port'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../port/agent-event.ts'
import { createTool } from '../testing/create-tool.ts'
import { SMALL_TALK } from '../testing/fill-session.ts'
import type { AgentUnderTest } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { waitUntil } from '../testing/wait-for.ts'

type Request = Parameters<Extract<Script, (...args: never[]) => unknown>>[0]

const TIMEOUT_MS = 400
/** A loaded machine is late with everything. */
const GRACE_MS = 350
/** About 3,700 tokens. */
const PAGE = SMALL_TALK.repeat(21)
const HANGS: ScriptedReply = { hangs: true }
const PRESETS = ['longhaul', 'oneclaw', 'openclaw', 'micro', 'spec008']

const startAgents = useAgents({ windowTokens: 16_000 })
const isSummary = ({ tools = [] }: Request): boolean => tools.length === 0
const isFlush = ({ prompt }: Request): boolean => JSON.stringify(prompt.slice(-4)).includes('housekeeping turn')

interface Waits {
  /** How long each wait for maintenance took. */
  readonly ms: readonly number[]
  readonly kinds: readonly unknown[]
}

/** Waits are noted in the lease, so that a crash in one leaves a trace. */
function watchWaits(store: Store): Waits {
  const ms: number[] = []
  const kinds: unknown[] = []
  const setWork = store.leases.setWork.bind(store.leases)
  let since: number | null = null
  store.leases.setWork = (lease, work: JsonObject | null) => {
    if (work !== null && 'work' in work) {
      kinds.push(work['work'])
      since = performance.now()
    } else if (since !== null) {
      ms.push(performance.now() - since)
      since = null
    }
    return setWork(lease, work)
  }
  return { ms, kinds }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const typesOf = (events: readonly AgentEvent[]): readonly AgentEvent['type'][] => events.map(({ type }) => type)

describe('ONE-20 a turn that does not fit, with a summariser that hangs,', () => {
  it.each(PRESETS)('%s: is told of its wait when that begins, and waits for the time as a whole', async (preset) => {
    const store = createInMemoryStore()
    const waits = watchWaits(store)
    const under = startAgents({
      store,
      preset,
      policy: { compaction: { timeoutMs: TIMEOUT_MS, memoryFlush: { enabled: false } } },
      script: (request) => (isSummary(request) ? HANGS : 'Noted.'),
    })
    const { id } = await under.agent.createSession({ title: 'named' })
    for (let turn = 1; turn <= 5; turn += 1) await under.say(id, `Message ${turn}. ${SMALL_TALK.repeat(10)}`)
    expect(waits.ms).toEqual([])
    const types = typesOf(await under.say(id, `Now. ${SMALL_TALK.repeat(30)}`))
    expect(types).not.toContain('error')
    const [started, completed, answered] = (['compact-started', 'compact-completed', 'text-delta'] as const).map(
      (type) => types.indexOf(type),
    )
    expect(started).toBeGreaterThanOrEqual(0)
    expect(completed).toBeGreaterThan(started ?? 0)
    expect(answered).toBeGreaterThan(completed ?? 0)
    expect(waits.kinds).toEqual(['compaction'])
    expect(sum(waits.ms)).toBeGreaterThan(TIMEOUT_MS / 2)
    expect(sum(waits.ms)).toBeLessThan(TIMEOUT_MS + GRACE_MS)
  })

  it.each(PRESETS)('%s: has one budget for all requests of a tool loop, not one for each', async (preset) => {
    const store = createInMemoryStore()
    const waits = watchWaits(store)
    let pages = 8
    const under = startAgents({
      store,
      preset,
      policy: { compaction: { timeoutMs: TIMEOUT_MS, memoryFlush: { enabled: false } } },
      ownTools: [createTool('read_page', { run: async () => ({ output: PAGE }) })],
      script: (request) => {
        if (isSummary(request)) return HANGS
        pages -= 1
        return pages < 0 ? 'Read.' : { toolCalls: [{ name: 'read_page', input: { page: pages } }] }
      },
    })
    const { id } = await under.agent.createSession({ title: 'named' })
    const events = await under.say(id, 'Read all.')
    expect(events.findLast(({ type }) => type === 'response-complete')).toMatchObject({ text: 'Read.' })
    expect(typesOf(events)).not.toContain('error')
    expect(waits.kinds.length).toBeGreaterThan(0)
    expect(sum(waits.ms)).toBeLessThan(TIMEOUT_MS + GRACE_MS)
  })
})

describe('LH-07 a flush that hangs', () => {
  async function talk(under: AgentUnderTest, id: string, turns: number): Promise<void> {
    for (let turn = 1; turn <= turns; turn += 1) {
      const { afterEvent } = await under.agent.send(id, { text: `Message ${turn}. ${SMALL_TALK.repeat(4)}` })
      await waitUntil(under.store, async () => {
        const stored = await under.store.events.read(id, afterEvent, 1_000)
        return stored.some(({ event }) => event['type'] === 'response-complete')
      })
    }
  }

  it.each(['longhaul', 'openclaw'])(
    '%s: delays no message, ends after the policy’s time, and is not tried again in its cycle',
    async (preset) => {
      const store = createInMemoryStore()
      const waits = watchWaits(store)
      const under = startAgents({
        store,
        preset,
        policy: { compaction: { memoryFlush: { timeoutMs: 100 }, triggerTokens: 100_000, prepareRatio: 'off' } },
        script: (request) => (isFlush(request) ? HANGS : 'Noted.'),
      })
      const { id } = await under.agent.createSession({ title: 'named' })
      await talk(under, id, 14)
      await waitUntil(store, async () => (await under.entries(id)).some(({ type }) => type === 'flush'))
      await talk(under, id, 2)
      const flushes = (await under.entries(id)).filter(({ type }) => type === 'flush')
      expect(flushes).toMatchObject([{ outcome: 'failed', cycle: 0 }])
      expect(under.model.calls.filter(isFlush)).toHaveLength(1)
      expect(waits.kinds).toEqual([])
    },
  )

  it('spec008, which saves before the turn: delays one message in a cycle, for half of what a turn may wait', async () => {
    const store = createInMemoryStore()
    const waits = watchWaits(store)
    const under = startAgents({
      store,
      preset: 'spec008',
      policy: { compaction: { timeoutMs: 2 * TIMEOUT_MS, memoryFlush: { timeoutMs: 4 * TIMEOUT_MS } } },
      script: (request) => (isFlush(request) ? HANGS : isSummary(request) ? '<summary>Beds.</summary>' : 'Noted.'),
    })
    const { id } = await under.agent.createSession({ title: 'named' })
    while (waits.kinds.length === 0) await talk(under, id, 1)
    await talk(under, id, 2)
    expect(waits.kinds.filter((kind) => kind === 'flush')).toEqual(['flush'])
    expect(waits.ms[0]).toBeLessThan(TIMEOUT_MS + GRACE_MS)
  })
})
