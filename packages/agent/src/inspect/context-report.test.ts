import { describe, expect, it } from 'vitest'
import { createTool } from '../testing/create-tool.ts'
import { SMALL_TALK } from '../testing/fill-session.ts'
import { useAgents } from '../testing/use-agents.ts'
import { readContextItem, reportContext } from './context-report.ts'

const start = useAgents({ policy: { compaction: { memoryFlush: { enabled: false } } } })

describe('the report on a context', () => {
  it('OPEN-04 lists everything the next request would hold, in its order, with sizes and states', async () => {
    const under = start({
      ownTools: [createTool('look', { run: async () => ({ output: 'A gate.' }) })],
      surroundingsFor: async () => ({
        system: 'You help.',
        files: [
          { name: 'AGENTS.md', text: 'Be kind.' },
          { name: 'MEMORY.md', text: 'The gate creaks.' },
        ],
      }),
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
    const view = await under.agent.inspect(id)
    const { items, used, window, source, threshold, model } = reportContext(view)
    expect({ window, model, source }).toEqual({ window: 32_000, model: 'scripted/scripted', source: 'reported' })
    expect(used).toBeLessThan(threshold ?? 0)
    const kinds = items.map(({ kind }) => kind)
    expect(kinds.slice(0, 5)).toEqual(['system', 'file', 'file', 'tools', 'summary'])
    expect(kinds.slice(-5)).toEqual(['user', 'assistant', 'tool-call', 'tool-result', 'assistant'])
    expect(kinds).toContain('pin')
    expect(items.every(({ tokens, chars, label }) => tokens > 0 && chars > 0 && label !== '')).toBe(true)
    expect(items.every(({ label }) => label.length <= 80)).toBe(true)
    expect(items.find(({ kind }) => kind === 'summary')).toMatchObject({ state: 'summarised' })
    expect(items.find(({ kind }) => kind === 'file')).toMatchObject({ label: expect.stringContaining('AGENTS.md') })
    expect(items.every(({ label }) => !/^(?:User|Assistant): /.test(label))).toBe(true)

    expect(new Set(items.map((item) => item.id)).size).toBe(items.length)
    expect(reportContext(await under.agent.inspect(id)).items).toEqual(items)
    const texts = new Map(items.map((item) => [item.id, readContextItem(view, item.id)?.text]))
    for (const item of items) expect(texts.get(item.id)).toHaveLength(item.chars)
    expect(texts.get('system')).toBe('You help.')
    expect(texts.get('file:MEMORY.md')).toBe('# MEMORY.md\n\nThe gate creaks.')
    expect(texts.get('tools')).toContain('"name":"look"')
    const [call, result] = items.slice(-3)
    const [said] = items.slice(-4)
    expect(texts.get(said?.id ?? '')).toBe('Let me look.')
    expect(texts.get(call?.id ?? '')).toBe('[calls look {}]')
    expect(texts.get(result?.id ?? '')).toContain('A gate.')
    expect(said?.entryId).toBe(call?.entryId)
    expect(readContextItem(view, 'user:nobody')).toBeNull()
  })

  it('LH-05 says that nothing is known where nothing is', async () => {
    const under = start({ preset: 'oneclaw', windowTokens: null })
    const { id } = await under.agent.createSession({ title: 'named' })
    const report = reportContext(await under.agent.inspect(id))
    expect(report).toMatchObject({ window: null, threshold: null })
  })
})
