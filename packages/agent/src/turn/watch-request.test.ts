import { createModels } from '@longhaul/models'
import { createScriptedModel } from '@longhaul/models/testing'
import { describe, expect, it } from 'vitest'
import { SMALL_TALK } from '../testing/fill-session.ts'
import { useAgents } from '../testing/use-agents.ts'

const start = useAgents({ policy: { compaction: { memoryFlush: { enabled: false }, prepareRatio: 'off' } } })
const named = { title: 'named' }
const PIN = `The gate is green. ${'Really. '.repeat(200)}`

describe('pins in a request that had to be cut to the bone', () => {
  it('are there, or somebody hears that they are not', async () => {
    const under = start({
      windowTokens: 32_000,
      scripted: { windowTokens: 2_600, countTokens: (text) => Math.ceil(text.length / 3) },
      script: ({ tools = [] }) => (tools.length === 0 ? '<summary>\n+ Goal: beds\n</summary>' : 'Noted.'),
    })
    const { id } = await under.agent.createSession(named)
    await under.agent.request(id, 'pin', { text: PIN })
    for (let turn = 1; turn <= 3; turn += 1) await under.say(id, `Message ${turn}. ${SMALL_TALK.repeat(4)}`)
    const turns = under.model.calls.filter(({ tools = [] }) => tools.length > 0)
    const sent = turns.filter(({ prompt }) => !JSON.stringify(prompt).includes('The gate is green.'))
    const told = under.lines.filter(({ event }) => event === 'pin-lost')
    expect(told).toHaveLength(sent.length)
    expect(sent.length).toBeLessThan(turns.length)
  })
})

describe('pins that a smaller window cannot hold', () => {
  const info = { contextWindow: 200_000, maxOutput: 1_000 }
  const model = createScriptedModel(() => 'Noted.', {})
  const models = createModels({
    extra: {
      'test/large': { model, info },
      'test/small': { model, info: { ...info, contextWindow: 3_000 } },
    },
    defaultModel: 'test/large',
  })

  it('are left out, the user hears it once and can go on; back in the large one they are there again', async () => {
    const under = start({ models })
    const { id } = await under.agent.createSession(named)
    const long = `The gate is green. ${'It was painted in spring. '.repeat(600)}`
    expect(await under.agent.request(id, 'pin', { text: long })).toMatchObject({ ok: true })
    const notices = async (text: string): Promise<readonly string[]> => {
      const events = await under.say(id, text)
      expect(events.map(({ type }) => type)).toContain('response-complete')
      const told = events.flatMap((event) => (event.type === 'context-trimmed' ? [event.message] : []))
      return told.filter((message) => message.includes('pin'))
    }
    expect(await notices('One.')).toEqual([])
    await under.agent.request(id, 'model', { model: 'test/small' })
    expect(await notices('Two.')).toEqual([expect.stringContaining('no room for your pin')])
    expect(await notices('Three.')).toEqual([])
    await under.agent.request(id, 'model', { model: 'test/large' })
    expect(await notices('Four.')).toEqual([])
    expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('The gate is green.')
  })
})
