import type { Script } from '@longhaul/models/testing'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../port/agent-event.ts'
import { SMALL_TALK } from '../testing/fill-session.ts'
import { messagesOf } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'

const start = useAgents({ preset: 'openclaw', policy: { compaction: { enabled: false } }, windowTokens: 16_000 })
const script: Script = ({ tools = [] }) => (tools.length === 0 ? '<summary>Beds were watered.</summary>' : 'Noted.')
const named = { title: 'named' }

function notices(events: readonly AgentEvent[]): readonly AgentEvent[] {
  return events.filter(({ type }) => type === 'context-trimmed' || type === 'compact-completed')
}

describe('with automatic compaction off', () => {
  it('OPEN-19 a request beyond the window is sent whole, and no flush is paid for', async () => {
    const under = start({ script })
    const { id } = await under.agent.createSession(named)
    for (let turn = 1; turn <= 80; turn += 1) {
      expect(notices(await under.say(id, `Message ${turn}. ${SMALL_TALK}`))).toEqual([])
    }
    const sent = JSON.stringify(under.model.calls.at(-1)?.prompt)
    expect(sent.length / 4).toBeGreaterThan(16_000)
    for (let turn = 1; turn <= 80; turn += 1) expect(sent).toContain(`Message ${turn}.`)
    const work = ['compaction', 'trim', 'prune', 'flush', 'maintenance-failed']
    expect((await under.entries(id)).filter(({ type }) => work.includes(type))).toEqual([])
  })

  it('OPEN-19 once the provider has refused one, room is made, and the user hears of it', async () => {
    const countTokens = (text: string): number => Math.ceil(text.length / 4)
    const under = start({ script, scripted: { windowTokens: 16_000, countTokens } })
    const { id } = await under.agent.createSession(named)
    for (let turn = 1; turn <= 100; turn += 1) {
      const events = await under.say(id, `Message ${turn}. ${SMALL_TALK}`)
      expect(events.filter(({ type }) => type === 'error')).toEqual([])
      if (!events.some(({ type }) => type === 'retry')) continue
      expect(notices(events)).toMatchObject([{ type: 'compact-completed', didCompact: true }])
      expect(messagesOf(await under.entries(id)).filter(({ role }) => role === 'user')).toHaveLength(turn)
      return
    }
    expect.unreachable('nothing was refused')
  })
})
