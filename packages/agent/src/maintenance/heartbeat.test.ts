import { createHttpError } from '@longhaul/models/testing'
import type { Script } from '@longhaul/models/testing'
import type { BillEntry } from '@longhaul/engine/advanced'
import { describe, expect, it } from 'vitest'
import type { AgentUnderTest } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { waitUntil } from '../testing/wait-for.ts'

const start = useAgents({
  price: { input: 1, output: 1 },
  policy: { heartbeat: { every: 5 } },
  scripted: { simulatesCache: true },
})
const named = { title: 'named' }

async function beatsOf(under: AgentUnderTest, id: string): Promise<readonly BillEntry[]> {
  const entries = await under.entries(id)
  return entries.filter((entry): entry is BillEntry => entry.type === 'bill' && entry.work === 'heartbeat')
}

/** Until the session has been given back: then no more can come. */
async function waitForRest(under: AgentUnderTest, id: string): Promise<void> {
  await waitUntil(under.store, async () => (await under.store.leases.getOwner(id)) === null)
}

describe('a heartbeat', () => {
  it('OPEN-18 sends the same prefix again, asks for next to nothing, is billed, and stops at its limit', async () => {
    const under = start({ idleMs: 5 })
    const { id } = await under.agent.createSession(named)
    await under.say(id, 'Keep this warm.')
    await waitForRest(under, id)
    const beats = await beatsOf(under, id)
    expect(beats).toHaveLength(12)
    const [turn, ...sent] = under.model.calls
    for (const { prompt, maxOutputTokens } of sent) {
      expect(prompt.slice(0, turn?.prompt.length)).toEqual(turn?.prompt)
      expect(maxOutputTokens).toBeLessThanOrEqual(16)
    }
    expect(beats.at(-1)?.usage.cacheRead).toBeGreaterThan(0)
    const { totals } = (await under.agent.inspect(id)).context.state.head
    expect(totals.costUsd).toBeGreaterThan(0)
    expect(JSON.stringify(await under.store.events.read(id, 0, 500))).not.toContain('Continue.')
  })

  it('OPEN-18 starts anew with the next message', async () => {
    const under = start({ idleMs: 5 })
    const { id } = await under.agent.createSession(named)
    await under.say(id, 'One')
    await waitForRest(under, id)
    await under.say(id, 'Two')
    await waitForRest(under, id)
    expect(await beatsOf(under, id)).toHaveLength(24)
  })

  it('OPEN-18 stops at its limit of money', async () => {
    const script: Script = () => ({ text: 'Fine.', usage: { input: 1_000, output: 1 } })
    const under = start({ idleMs: 5, script, spend: { maintenanceUsdPerDay: 0.0035, sessionUsd: null } })
    const { id } = await under.agent.createSession(named)
    await under.say(id, 'Keep this warm.')
    await waitForRest(under, id)
    expect(await beatsOf(under, id)).toHaveLength(4)
  })

  it.each<[string, Script]>([
    [
      'the provider fails',
      (_request, index) => (index === 0 ? 'Fine.' : { fails: createHttpError({ status: 500, message: 'down' }) }),
    ],
    ['the provider reports no usage', () => ({ text: 'Fine.', usage: null })],
  ])('OPEN-18 stops where %s', async (_name, script) => {
    const under = start({ idleMs: 5, script })
    const { id } = await under.agent.createSession(named)
    await under.say(id, 'Keep this warm.')
    await waitForRest(under, id)
    expect(await beatsOf(under, id)).toEqual([])
    expect(under.model.calls).toHaveLength(2)
    expect(under.lines.map(({ event }) => event)).toContain('heartbeat-stopped')
  })

  it('OPEN-18 is off unless somebody turns it on', async () => {
    const under = start({ idleMs: 5, policy: {} })
    const { id } = await under.agent.createSession(named)
    await under.say(id, 'Hi')
    await waitForRest(under, id)
    expect(under.model.calls).toHaveLength(1)
  })

  it('gives way to a message at once', async () => {
    const { promise: isBeating, resolve } = Promise.withResolvers<void>()
    const under = start({
      script: (_request, index) => {
        if (index !== 1) return `Answer ${index}`
        resolve()
        return { hangs: true }
      },
    })
    const { id } = await under.agent.createSession(named)
    await under.say(id, 'One')
    await isBeating
    const events = await under.say(id, 'Two')
    expect(events.find(({ type }) => type === 'response-complete')).toMatchObject({ text: 'Answer 2' })
  })
})
