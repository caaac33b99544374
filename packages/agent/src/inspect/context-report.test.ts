import { describe, expect, it } from 'vitest'
import { createTool } from '../testing/create-tool.ts'
import { SMALL_TALK } from '../testing/fill-session.ts'
import { useAgents } from '../testing/use-agents.ts'
import { reportContext } from './context-report.ts'

const start = useAgents({ policy: { compaction: { memoryFlush: { enabled: false } } } })

describe('the report on a context', () => {
  it('OPEN-04 lists everything the next request would hold, in its order, with sizes and states', async () => {
    const under = start({
      ownTools: [createTool('look', { run: async () => ({ output: 'A gate.' }) })],
      surroundingsFor: async () => ({ system: 'You help.', files: [{ name: 'AGENTS.md', text: 'Be kind.' }] }),
      script: ({ tools = [], prompt }) => {
        if (tools.length === 0) return '<summary>\n+ Goal: water the beds\n</summary>'
        const last = prompt.at(-1)
        if (last?.role === 'user' && JSON.stringify(last).includes('Look'))
          return { text: 'Let me look.', toolCalls: [{ name: 'look', input: {} }] }
        return 'Noted.'
      },
    })
    const { id } = await under.agent.createSession({ title: 'named' })
    for (let turn = 1; turn <= 45; turn += 1) await under.say(id, `Message ${turn}. ${SMALL_TALK}`)
    await under.agent.request(id, 'compact', {})
    await under.agent.request(id, 'pin', { text: 'The gate is green.' })
    await under.say(id, 'Look!')
    const { items, used, window, source, threshold, model } = reportContext(await under.agent.inspect(id))
    expect({ window, model, source }).toEqual({ window: 32_000, model: 'scripted/scripted', source: 'reported' })
    expect(used).toBeLessThan(threshold ?? 0)
    const kinds = items.map(({ kind }) => kind)
    expect(kinds.slice(0, 4)).toEqual(['system', 'file', 'tools', 'summary'])
    expect(kinds.slice(-5)).toEqual(['user', 'assistant', 'tool-call', 'tool-result', 'assistant'])
    expect(kinds).toContain('pin')
    expect(items.every(({ tokens, chars, label }) => tokens > 0 && chars > 0 && label !== '')).toBe(true)
    expect(items.every(({ label }) => label.length <= 80)).toBe(true)
    expect(items.find(({ kind }) => kind === 'summary')).toMatchObject({ state: 'summarised' })
    expect(items.find(({ kind }) => kind === 'file')).toMatchObject({ label: expect.stringContaining('AGENTS.md') })
  })

  it('LH-05 says that nothing is known where nothing is', async () => {
    const under = start({ preset: 'oneclaw', windowTokens: null })
    const { id } = await under.agent.createSession({ title: 'named' })
    const report = reportContext(await under.agent.inspect(id))
    expect(report).toMatchObject({ window: null, threshold: null })
  })
})
