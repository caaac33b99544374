import { describe, expect, it } from 'vitest'
import { createTool } from '../testing/create-tool.ts'
import { SMALL_TALK } from '../testing/fill-session.ts'
import type { AgentUnderTest } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { describeRequest } from './describe-request.ts'
import type { RequestDescription } from './describe-request.ts'

const LONG = 'The beds lie behind the gate. '.repeat(400)
const start = useAgents({
  // Prunes by age: what it does depends on the number of turns alone.
  preset: 'spec008',
  policy: { compaction: { memoryFlush: { enabled: false } } },
  ownTools: [createTool('look', { run: async () => ({ output: LONG }) })],
  script: ({ tools = [], prompt }) => {
    if (tools.length === 0) return '<summary>\n+ Goal: water the beds\n</summary>'
    const last = prompt.at(-1)
    if (last?.role === 'user' && JSON.stringify(last).includes('Look'))
      return { toolCalls: [{ name: 'look', input: {} }] }
    return 'Noted.'
  },
})

async function openAll(under: AgentUnderTest, id: string): Promise<readonly RequestDescription[]> {
  const view = await under.agent.inspect(id)
  const last = (await under.store.requests.getLast(id))?.manifest.number ?? 0
  const numbers = Array.from({ length: last }, (_, index) => index + 1)
  const opened = await Promise.all(numbers.map((number) => describeRequest(under.store, view, number)))
  return opened.flatMap((one) => one ?? [])
}

describe('a request of the past', () => {
  it('is shown byte for byte as the model saw it, whatever was pruned, pinned, compacted or undone since', async () => {
    const under = start()
    const { id } = await under.agent.createSession({ title: 'named' })
    await under.say(id, 'Hello')
    await under.agent.request(id, 'pin', { text: 'The gate is green.' })
    for (let turn = 1; turn <= 12; turn += 1) await under.say(id, `Look! ${turn}. ${SMALL_TALK}`)
    await under.agent.request(id, 'compact', {})
    await under.say(id, 'And now?', 'now')
    const undone = await under.agent.request(id, 'undo', {})
    await under.say(id, 'And after that?')
    const entries = await under.entries(id)
    expect(entries.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['prune', 'compaction', 'compaction-undone']),
    )

    const requests = (await openAll(under, id)).filter(({ purpose }) => purpose === null)
    const sent = under.model.calls.filter(({ tools = [] }) => tools.length > 0)
    expect(requests).toHaveLength(sent.length)
    for (const [index, request] of requests.entries()) {
      expect({ number: request.number, exact: request.exact, reason: request.reason }).toEqual({
        number: 1 + under.model.calls.indexOf(sent[index] ?? { prompt: [] }),
        exact: true,
        reason: null,
      })
      const prompt = JSON.stringify(sent[index]?.prompt)
      for (const { kind, text } of request.items) {
        if (kind === 'user') expect(prompt).toContain(JSON.stringify(text).slice(1, -1))
      }
    }
    const after = requests.find(({ items }) => items.at(-1)?.entryId === 'now')
    expect(after?.items.map(({ kind }) => kind)).toContain('summary')
    const summary = after?.items.find(({ kind }) => kind === 'summary')
    expect(undone).toMatchObject({ ok: true, result: { undone: [summary?.entryId] } })
    expect(requests.at(-1)?.items).not.toContainEqual(expect.objectContaining({ id: summary?.id }))
    expect(
      requests.some(({ items }) => items.some(({ state }) => state === 'cleared' || state === 'soft-trimmed')),
    ).toBe(true)
    expect(requests[0]?.environment.map((item) => item.id)).toEqual(['system', 'tools'])
    expect(requests[0]?.outcome).toMatchObject({ result: 'stop' })
  })

  it('says what changed since: other surroundings, other settings; unknown ones are null', async () => {
    let system = 'You help.'
    const under = start({ surroundingsFor: async () => ({ system, files: [] }) })
    const { id } = await under.agent.createSession({ title: 'named' })
    await under.say(id, 'Hello')
    system = 'You help a lot.'
    await under.agent.close()
    const later = start({ store: under.store, surroundingsFor: async () => ({ system, files: [] }) })
    const view = await later.agent.inspect(id)
    const opened = await describeRequest(later.store, view, 1)
    expect(opened).toMatchObject({ exact: false, environment: [], items: [{ kind: 'user', text: 'Hello' }] })
    expect(opened?.reason).toContain('changed since')
    expect(await describeRequest(later.store, view, 99)).toBeNull()
  })
})
