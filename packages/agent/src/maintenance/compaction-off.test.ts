import type { Script, ScriptedReply } from '@longhaul/models/testing'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../port/agent-event.ts'
import { createTool } from '../testing/create-tool.ts'
import { SMALL_TALK } from '../testing/fill-session.ts'
import type { AgentUnderTest, StartOptions } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'

type Request = Parameters<Extract<Script, (...args: never[]) => unknown>>[0]

const CONFIGURED_TOKENS = 16_000
/** Of about 1,900 tokens each, so all of them are more than the configured window. */
const TURNS = 12
const PRESETS = ['longhaul', 'oneclaw', 'openclaw', 'micro', 'spec008']
const PAGE = SMALL_TALK.repeat(20)

const startAgents = useAgents({ windowTokens: CONFIGURED_TOKENS, maxOutput: 2_000 })
const isSummary = ({ tools = [] }: Request): boolean => tools.length === 0
const isFlush = ({ prompt }: Request): boolean => JSON.stringify(prompt.slice(-6)).includes('housekeeping turn')
const textOf = ({ prompt }: Request): string => JSON.stringify(prompt)

function start(preset: string, options: StartOptions = {}, summary: ScriptedReply = GOOD): AgentUnderTest {
  return startAgents({
    preset,
    policy: { compaction: { enabled: false } },
    script: (request) => (isSummary(request) ? summary : 'Noted.'),
    ...options,
  })
}

const GOOD = '<summary>\n+ Goal: water the beds\n</summary>'

async function talk(under: AgentUnderTest): Promise<{ readonly id: string; readonly events: readonly AgentEvent[] }> {
  const { id } = await under.agent.createSession({ title: 'named' })
  const events: AgentEvent[] = []
  for (let turn = 1; turn <= TURNS; turn += 1) {
    const said = await under.say(id, `Message ${turn}. ${SMALL_TALK.repeat(11)}`)
    expect(said.map(({ type }) => type)).toContain('response-complete')
    events.push(...said)
  }
  expect(events.filter(({ type }) => type === 'error')).toEqual([])
  return { id, events }
}

const noticesIn = (events: readonly AgentEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'context-trimmed' ? [event.message] : []))

describe('with automatic compaction off', () => {
  it.each(PRESETS)(
    'OPEN-19 %s: a request that the window would not hold goes to the provider as it is; nothing is paid for but answers',
    async (preset) => {
      const under = start(preset)
      const { id, events } = await talk(under)
      const [last] = under.model.calls.slice(-1)
      for (let turn = 1; turn <= TURNS; turn += 1)
        expect(last === undefined ? '' : textOf(last)).toContain(`Message ${turn}. ${SMALL_TALK.repeat(11)}`)
      expect(events.filter(({ type }) => type.startsWith('compact-') || type.startsWith('flush-'))).toEqual([])
      expect(noticesIn(events)).toEqual([])
      expect(under.model.calls).toHaveLength(TURNS)
      const kinds = new Set((await under.entries(id)).map(({ type }) => type))
      expect(kinds.difference(new Set(['message', 'environment', 'settings', 'model-change']))).toEqual(new Set())
    },
  )

  it.each(PRESETS)('OPEN-19 OPEN-15 %s: after a refusal a summary makes room, without a flush', async (preset) => {
    const under = start(preset, { scripted: { windowTokens: CONFIGURED_TOKENS } })
    const { events } = await talk(under)
    expect(events).toContainEqual(expect.objectContaining({ type: 'retry', reason: 'input-overflow' }))
    expect(events).toContainEqual(expect.objectContaining({ type: 'compact-completed', didCompact: true }))
    expect(under.model.calls.filter(isFlush)).toHaveLength(0)
  })

  it.each(PRESETS)(
    'OPEN-19 %s: after a refusal, and without a summary, the user is told that something was left out',
    async (preset) => {
      const under = start(preset, { scripted: { windowTokens: CONFIGURED_TOKENS } }, { fails: new Error('down') })
      const { events } = await talk(under)
      const refused = events.filter((event) => event.type === 'retry' && event.reason === 'input-overflow')
      expect(refused.length).toBeGreaterThan(0)
      const told = events.filter((event) => event.type === 'context-trimmed' || isExtract(event))
      expect(told.length).toBeGreaterThan(0)
      expect(under.model.calls.filter(isFlush)).toHaveLength(0)
    },
  )

  it('OPEN-19 tool results that are too large together go as they are; those cut after a refusal are told of', async () => {
    const read: ScriptedReply = {
      toolCalls: [1, 2, 3, 4].map((page) => ({ name: 'read_page', input: { page } })),
    }
    const ownTools = [
      createTool('read_page', { run: async ({ page }) => ({ output: `Page ${String(page)}. ${PAGE}` }) }),
    ]
    const script: Script = (request, index) => {
      if (isSummary(request)) return { fails: new Error('down') }
      return index === 0 ? read : 'Read.'
    }
    const patient = start('longhaul', { ownTools, script })
    const { id } = await patient.agent.createSession({ title: 'named' })
    expect(noticesIn(await patient.say(id, 'Read all.'))).toEqual([])
    expect(JSON.stringify(patient.model.calls.at(-1)?.prompt).split(SMALL_TALK)).toHaveLength(4 * 20 + 1)

    const strict = start('longhaul', { ownTools, script, scripted: { windowTokens: 12_000 } })
    const other = await strict.agent.createSession({ title: 'named' })
    const events = await strict.say(other.id, 'Read all.')
    expect(events.map(({ type }) => type)).toContain('response-complete')
    expect(noticesIn(events)).toEqual([expect.stringContaining('4 tool results')])
  })
})

/** A summary by code says in the event what was used instead of a model. */
function isExtract(event: AgentEvent): boolean {
  return event.type === 'compact-completed' && event.didCompact && event.fallback === 'extractive'
}
