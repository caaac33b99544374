import { afterEach, describe, expect, it } from 'vitest'
import { messagesOf, startAgent } from '../testing/start-agent.ts'
import type { AgentUnderTest, StartOptions } from '../testing/start-agent.ts'

const running: AgentUnderTest[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})
function start(options: StartOptions): AgentUnderTest {
  const started = startAgent({ policy: { compaction: { memoryFlush: { enabled: false } } }, ...options })
  running.push(started)
  return started
}

const PARAGRAPH = 'The bridge over the river was painted green and then blue. '.repeat(40)

describe('a provider whose window is smaller than we think', () => {
  it.each(['oneclaw', 'openclaw', 'micro', 'spec008', 'longhaul'])(
    'OPEN-15 %s: recovers, answers, and reckons with the true window from then on',
    async (preset) => {
      const under = start({
        preset,
        windowTokens: 128_000,
        scripted: { windowTokens: 20_000, countTokens: (text) => Math.ceil(text.length / 3) },
      })
      const { id } = await under.agent.createSession()
      let refusals = 0
      for (let turn = 1; turn <= 60; turn += 1) {
        const events = await under.say(id, `Message ${turn}. ${PARAGRAPH}`)
        expect(events.filter(({ type }) => type === 'error')).toEqual([])
        refusals += events.filter((event) => event.type === 'retry' && event.reason === 'input-overflow').length
      }
      expect(refusals).toBeGreaterThan(0)
      expect(refusals).toBeLessThanOrEqual(2)
      expect((await under.store.learned.get('scripted/scripted')).window?.tokens).toBe(20_000)
      expect(messagesOf(await under.entries(id)).filter(({ role }) => role === 'user')).toHaveLength(60)
    },
  )

  it('LH-05 OPEN-15 recovers where nobody knows the window', async () => {
    const under = start({
      preset: 'oneclaw',
      windowTokens: null,
      scripted: { windowTokens: 12_000, countTokens: (text) => Math.ceil(text.length / 3) },
    })
    const { id } = await under.agent.createSession()
    for (let turn = 1; turn <= 40; turn += 1) {
      const events = await under.say(id, `Message ${turn}. ${PARAGRAPH}`)
      expect(events.filter(({ type }) => type === 'error')).toEqual([])
    }
  })
})

describe('a refusal that was paid for', () => {
  it('SPEC-01 counts, and is told: the endpoint read everything and had no room for an answer', async () => {
    let isFull = false
    const under = start({
      price: { input: 1, output: 1 },
      script: ({ tools = [] }) => {
        if (tools.length === 0) return '<summary>\n+ Goal: paint the bridge\n</summary>'
        if (!isFull) return 'Fine.'
        isFull = false
        return { text: '', usage: { input: 33_000, output: 0 }, finish: 'length' }
      },
    })
    const { id } = await under.agent.createSession({ title: 'named' })
    for (let turn = 1; turn <= 20; turn += 1) await under.say(id, `Message ${turn}. ${PARAGRAPH}`)
    isFull = true
    const events = await under.say(id, 'Hello')
    expect(events.map(({ type }) => type)).toContain('response-complete')
    expect(events.find(({ type }) => type === 'usage')).toMatchObject({ input: 33_000, cost: 0.033 })
    const bills = (await under.entries(id)).filter(({ type }) => type === 'bill')
    expect(bills).toMatchObject([{ work: 'discarded', usage: { input: 33_000, costUsd: 0.033 } }])
    const { totals } = (await under.agent.inspect(id)).context.state.head
    const rest = (await under.entries(id)).flatMap((entry) => ('usage' in entry ? (entry.usage?.input ?? 0) : 0))
    expect(totals.inputTokens).toBe(rest.reduce((sum, tokens) => sum + tokens, 0))
  })
})

describe('a window that was learnt', () => {
  it('OPEN-03 is asked again before it closes a model, because endpoints are given larger ones', async () => {
    const under = start({ windowTokens: 32_000 })
    const { id } = await under.agent.createSession()
    await under.store.learned.setWindow('scripted/scripted', { tokens: 512, at: 0 })
    const events = await under.say(id, `Hello. ${PARAGRAPH}`)
    expect(events.map(({ type }) => type)).toContain('response-complete')
    expect((await under.store.learned.get('scripted/scripted')).window).toBeNull()
  })

  it('OPEN-03 is cleared by choosing the model again', async () => {
    const under = start({ windowTokens: 32_000 })
    const { id } = await under.agent.createSession()
    await under.store.learned.setWindow('scripted/scripted', { tokens: 8_000, at: 0 })
    await under.agent.request(id, 'model', { model: 'scripted/scripted' })
    expect((await under.store.learned.get('scripted/scripted')).window).toBeNull()
  })
})

describe('a request that can never fit', () => {
  it('OPEN-15 fails at once, names the culprit, and the next message is answered', async () => {
    const under = start({ windowTokens: 8_000, system: 'You help.' })
    const { id } = await under.agent.createSession()
    const events = await under.say(id, 'word '.repeat(20_000))
    const error = events.find(({ type }) => type === 'error')
    expect(error).toMatchObject({ code: 'cannot-fit' })
    expect(JSON.stringify(error)).toContain('your message')
    expect(under.model.calls).toHaveLength(0)
    const after = await under.say(id, 'Hello?')
    expect(after.map(({ type }) => type)).toContain('response-complete')
  })
})
