import { createInMemoryStore } from '@longhaul/store'
import { describe, expect, it } from 'vitest'
import { SMALL_TALK, talkUntil } from '../testing/fill-session.ts'
import { useAgents } from '../testing/use-agents.ts'
import { waitForTitle } from '../testing/wait-for.ts'

/** A thousand tokens in: a cent. */
const usage = { input: 1_000, output: 0 }
const start = useAgents({
  price: { input: 10, output: 10 },
  windowTokens: 16_000,
  script: ({ tools = [] }) =>
    tools.length === 0 ? { text: '<summary>The beds were watered.</summary>', usage } : 'Noted. '.repeat(20),
})
const named = { title: 'named' }

describe('what a session may cost', () => {
  it('SPEC-01 stops its turns with a clear error, its maintenance too, and survives a restart', async () => {
    const store = createInMemoryStore()
    const spend = { sessionUsd: 0.025, maintenanceUsdPerDay: null }
    const script = () => ({ text: 'Noted.', usage })
    const under = start({ store, spend, script })
    const { id } = await under.agent.createSession(named)
    for (const text of ['One', 'Two', 'Three']) {
      expect((await under.say(id, text)).map(({ type }) => type)).toContain('response-complete')
    }
    const refused = await under.say(id, 'Four')
    const error = refused.find(({ type }) => type === 'error')
    expect(error).toMatchObject({ code: 'budget-exhausted' })
    expect(JSON.stringify(error)).toContain('limits.sessionUsd')
    expect(await under.agent.request(id, 'compact', {})).toMatchObject({ ok: false, code: 'budget-exhausted' })
    expect(under.model.calls).toHaveLength(3)
    await under.agent.close()

    const again = start({ store, spend, script })
    expect((await again.say(id, 'Five')).map(({ type }) => type)).not.toContain('response-complete')
    expect(again.model.calls).toHaveLength(0)
    await again.agent.close()
    const richer = start({ store, script, spend: { ...spend, sessionUsd: 1 } })
    expect((await richer.say(id, 'Six')).map(({ type }) => type)).toContain('response-complete')
    const { totals } = (await richer.agent.inspect(id)).context.state.head
    expect(totals.costUsd).toBeCloseTo(0.04)
    expect(totals.inputTokens).toBe(4_000)
  })
})

describe('what maintenance may cost in a day', () => {
  const policy = { compaction: { prepareRatio: 'off', memoryFlush: { enabled: false } } }

  it('past it nothing optional is paid for; what the window forces is', async () => {
    const under = start({ policy, spend: { sessionUsd: null, maintenanceUsdPerDay: 0.005 } })
    const { id } = await under.agent.createSession(named)
    const reasons: string[] = []
    for (let turn = 1; turn <= 120; turn += 1) {
      for (const event of await under.say(id, `Message ${turn}. ${SMALL_TALK}`)) {
        if (event.type === 'compact-started') reasons.push(event.reason)
        expect(event.type).not.toBe('error')
      }
    }
    const [first, ...later] = reasons
    expect(first).toBe('threshold')
    expect(new Set(later)).toEqual(new Set(['window']))
  })

  it('is counted from the transcript, so a restart does not start it anew; the next day does', async () => {
    const store = createInMemoryStore()
    let now = Date.parse('2026-11-15T10:00:00Z')
    const options = { store, policy, now: () => now, spend: { sessionUsd: null, maintenanceUsdPerDay: 0.005 } }
    const first = start(options)
    const { id } = await first.agent.createSession(named)
    await talkUntil(first, id, 'compact-completed')
    await first.agent.close()

    const second = start(options)
    const { id: fresh } = await second.agent.createSession()
    await second.say(fresh, 'Hello')
    expect(await waitForTitle(store, fresh), 'another session has money of its own').toBe(
      '<summary>The beds were watered.</summary>',
    )
    const forced = await talkUntil(second, id, 'compact-started')
    expect(forced.find(({ type }) => type === 'compact-started')).toMatchObject({ reason: 'window' })

    now += 24 * 3_600_000
    const due = await talkUntil(second, id, 'compact-started')
    expect(due.find(({ type }) => type === 'compact-started')).toMatchObject({ reason: 'threshold' })
  })

  it('a flush that cannot be paid for is left out, once', async () => {
    const under = start({
      preset: 'openclaw',
      policy: { windowGuard: { warnBelowTokens: 0 } },
      spend: { sessionUsd: null, maintenanceUsdPerDay: 0 },
    })
    const { id } = await under.agent.createSession(named)
    await talkUntil(under, id, 'context-warning')
    for (let turn = 1; turn <= 10; turn += 1) await under.say(id, `Message ${turn}. ${SMALL_TALK}`)
    const flushes = (await under.entries(id)).filter(({ type }) => type === 'flush')
    expect(flushes).toMatchObject([{ outcome: 'skipped' }])
    expect(under.lines.filter(({ event }) => event === 'flush-skipped')).toHaveLength(1)
  })
})
