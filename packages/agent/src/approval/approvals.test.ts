import { createInMemoryStore } from '@longhaul/store'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../port/agent-event.ts'
import { createTool } from '../testing/create-tool.ts'
import { collectTurn } from '../testing/start-agent.ts'
import type { AgentUnderTest } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { waitForEvent } from '../testing/wait-for.ts'

const remove = createTool('remove', {
  permit: ({ path }) =>
    path === 'mine' ? { verdict: 'allow' } : { verdict: 'ask', reason: `Remove ${String(path)}?` },
  run: async () => ({ output: 'removed' }),
})

const start = useAgents({
  ownTools: [remove],
  script: ({ prompt }) =>
    prompt.at(-1)?.role === 'tool' ? 'Done.' : { toolCalls: [{ id: 'c1', name: 'remove', input: { path: 'yours' } }] },
})

async function ask(under: AgentUnderTest): Promise<{ id: string; turn: Promise<readonly AgentEvent[]> }> {
  const { id } = await under.agent.createSession({ title: 'named' })
  const { afterEvent } = await under.agent.send(id, { id: 'm1', text: 'Remove it' })
  const turn = collectTurn(under.store, id, 'm1', afterEvent)
  await waitForEvent(under.store, id, 'approval-needed')
  return { id, turn }
}

describe('a tool that asks first', () => {
  it('tells what it wants to do, and why it asks', async () => {
    const under = start()
    const { id, turn } = await ask(under)
    expect(await waitForEvent(under.store, id, 'approval-needed')).toMatchObject({
      turnId: 'm1',
      id: 'c1',
      name: 'remove',
      input: { path: 'yours' },
      reason: 'Remove yours?',
    })
    await under.agent.approve(id, 'c1', false)
    await turn
  })

  it.each([
    [true, 'removed'],
    [false, 'Not run: the user did not allow it.'],
  ])('the answer %s counts, and is recorded: told to everybody, and in the log', async (allow, output) => {
    const under = start()
    const { id, turn } = await ask(under)
    await under.agent.approve(id, 'c1', allow)
    const events = await turn
    expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({ output, isError: !allow })
    expect(events.find(({ type }) => type === 'approval-settled')).toMatchObject({ id: 'c1', allow, by: 'person' })
    expect(under.lines).toContainEqual(
      expect.objectContaining({
        event: 'approval',
        toolCallId: 'c1',
        input: expect.stringContaining('yours'),
        allow,
        by: 'person',
      }),
    )
    const kept = (await Array.fromAsync(under.store.dump())).filter(
      (record) => record.type === 'inbox' && record.item.kind === 'approval',
    )
    expect(kept).toMatchObject([{ item: { payload: { callId: 'c1', allow } }, settledAt: expect.any(Number) }])
  })

  it('hears no after its time, and that is recorded as such', async () => {
    const under = start({ approvalTimeoutMs: 10 })
    const { turn } = await ask(under)
    const events = await turn
    expect(events.find(({ type }) => type === 'approval-settled')).toMatchObject({ allow: false, by: 'time-out' })
    expect(events.map(({ type }) => type)).toContain('response-complete')
  })

  it('does not wait on after a cancel', async () => {
    const under = start()
    const { id, turn } = await ask(under)
    await under.agent.cancel(id)
    const events = await turn
    expect(events.find(({ type }) => type === 'approval-settled')).toMatchObject({ allow: false, by: 'cancel' })
    expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({ output: 'Not run: the user cancelled.' })
  })

  it('is answered through another process as well', async () => {
    const store = createInMemoryStore()
    const { id, turn } = await ask(start({ store }))
    await start({ store }).agent.approve(id, 'c1', true)
    expect((await turn).find(({ type }) => type === 'tool-result')).toMatchObject({ output: 'removed' })
  })

  it('an answer that nobody waits for changes nothing; a second one neither', async () => {
    const under = start()
    const { id, turn } = await ask(under)
    await under.agent.approve(id, 'another', true)
    await under.agent.approve(id, 'c1', false)
    await under.agent.approve(id, 'c1', true)
    expect((await turn).find(({ type }) => type === 'tool-result')).toMatchObject({ isError: true })
    expect(await under.store.inbox.list(id)).toEqual([])
  })

  it('is never asked for what is allowed', async () => {
    const under = start({
      script: ({ prompt }) =>
        prompt.at(-1)?.role === 'tool' ? 'Done.' : { toolCalls: [{ name: 'remove', input: { path: 'mine' } }] },
    })
    const { id } = await under.agent.createSession({ title: 'named' })
    const types = (await under.say(id, 'Remove mine')).map(({ type }) => type)
    expect(types).not.toContain('approval-needed')
    expect(types).toContain('response-complete')
  })
})
