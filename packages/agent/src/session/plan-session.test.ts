import { describe, expect, it } from 'vitest'
import { describeStatus } from '../inspect/session-status.ts'
import { useAgents } from '../testing/use-agents.ts'

const start = useAgents()

describe('a new session', () => {
  it.each(['openclaw', 'spec008'])(
    'OPEN-03 %s refuses a window below 16,000, and says what to change',
    async (preset) => {
      const under = start({ windowTokens: 15_999 })
      await expect(under.agent.createSession({ preset })).rejects.toMatchObject({
        name: 'AgentError',
        code: 'window-too-small',
        message: expect.stringContaining('15999'),
      })
      await expect(start({ windowTokens: 16_000 }).agent.createSession({ preset })).resolves.toBeDefined()
    },
  )

  it.each(['oneclaw', 'micro', 'longhaul'])('OPEN-03 %s only warns', async (preset) => {
    const under = start({ windowTokens: 8_000 })
    const { id } = await under.agent.createSession({ preset })
    expect(under.lines).toContainEqual(expect.objectContaining({ event: 'small-window', level: 'warn' }))
    expect((await under.say(id, 'Hello')).map(({ type }) => type)).toContain('response-complete')
  })

  it('OPEN-03 nobody refuses later: not after a change of preset, not for a learnt window', async () => {
    const under = start({ windowTokens: 8_000 })
    const { id } = await under.agent.createSession({ preset: 'longhaul' })
    expect(await under.agent.request(id, 'settings', { preset: 'openclaw' })).toMatchObject({ ok: true })
    await under.store.learned.setWindow('scripted/scripted', { tokens: 6_000, at: 1 })
    expect((await under.say(id, 'Hello')).map(({ type }) => type)).toContain('response-complete')
  })

  it('OPEN-03 the window is the smallest of what was said, contextTokens and what was learnt; the status tells which', async () => {
    const under = start({ windowTokens: 64_000, policy: { contextTokens: 40_000 } })
    const { id } = await under.agent.createSession()
    const status = async () => describeStatus(await under.agent.inspect(id))
    expect(await status()).toMatchObject({ tokens: { window: 40_000 }, learntWindow: null })
    await under.store.learned.setWindow('scripted/scripted', { tokens: 24_000, at: 1 })
    expect(await status()).toMatchObject({ tokens: { window: 24_000 }, windowSource: 'learnt', learntWindow: 24_000 })
    await under.store.learned.setWindow('scripted/scripted', null)
    expect(await status()).toMatchObject({ tokens: { window: 40_000 } })
  })

  it('refuses settings that do not hold', async () => {
    const { agent } = start()
    await expect(agent.createSession({ preset: 'nonsense' })).rejects.toMatchObject({ code: 'invalid-request' })
    await expect(agent.createSession({ policy: { compaction: { enabled: 7 } } })).rejects.toMatchObject({
      code: 'invalid-request',
    })
  })

  it('keeps what it was told: id, title, model, preset, agent and policy', async () => {
    const under = start()
    const record = await under.agent.createSession({
      id: 's1',
      title: 'Garden',
      model: 'offline/extractive',
      preset: 'micro',
      agent: 'researcher',
      policy: { bootstrapMaxChars: 5_000 },
    })
    expect(record).toMatchObject({
      id: 's1',
      title: 'Garden',
      header: { agent: 'researcher' },
      head: { model: 'offline/extractive', settings: { preset: 'micro', policy: { bootstrapMaxChars: 5_000 } } },
    })
    expect((await under.agent.inspect('s1')).settings).toMatchObject({ agent: 'researcher', preset: 'micro' })
    await expect(under.agent.createSession({ id: 's1' })).rejects.toMatchObject({ code: 'id-conflict' })
  })
})
