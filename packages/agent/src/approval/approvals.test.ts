import { createInMemoryStore } from '@longhaul/store'
import type { Tool } from '@longhaul/tools/port'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../port/agent-event.ts'
import { createMortalStore } from '../testing/create-mortal-store.ts'
import { createTool } from '../testing/create-tool.ts'
import { collectTurn, messagesOf } from '../testing/start-agent.ts'
import type { AgentUnderTest, StartOptions } from '../testing/start-agent.ts'
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
  ])(
    'the answer %s counts, and is recorded: in the transcript, told to everybody, and in the log',
    async (allow, output) => {
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
      const [result] = messagesOf(await under.entries(id)).filter(({ role }) => role === 'tool')
      expect(result?.approval).toEqual({ allow, by: 'person' })
      const kept = (await Array.fromAsync(under.store.dump())).filter(
        (record) => record.type === 'inbox' && record.item.kind === 'approval',
      )
      expect(kept).toMatchObject([{ item: { payload: { callId: 'c1', allow } }, settledAt: expect.any(Number) }])
    },
  )

  it('hears no after its time, and that is recorded as such', async () => {
    const under = start({ approvalTimeoutMs: 10 })
    const { id, turn } = await ask(under)
    const events = await turn
    expect(events.find(({ type }) => type === 'approval-settled')).toMatchObject({ allow: false, by: 'time-out' })
    const [result] = messagesOf(await under.entries(id)).filter(({ role }) => role === 'tool')
    expect(result?.approval).toEqual({ allow: false, by: 'time-out' })
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
    expect(messagesOf(await under.entries(id)).some((entry) => 'approval' in entry)).toBe(false)
    expect(types).not.toContain('approval-needed')
    expect(types).toContain('response-complete')
  })
})

describe('an owner that ends while it waits for an answer', () => {
  /** Counts its runs: a second one would be a second deletion. */
  function countRuns(run: Tool['run'] = async () => ({ output: 'removed' })) {
    const runs: string[] = []
    const tool = createTool('remove', {
      permit: () => ({ verdict: 'ask', reason: 'Remove it?' }),
      run: (input, context) => {
        runs.push(context.toolCallId)
        return run(input, context)
      },
    })
    return { runs, ownTools: [tool] }
  }

  /** One process asks and is killed; another one takes over when its lease has run out. */
  async function askAndDie(options: StartOptions, beforeDeath?: (under: AgentUnderTest, id: string) => Promise<void>) {
    let now = Date.now()
    const store = createInMemoryStore({ clock: () => now })
    const mortal = createMortalStore(store, null)
    const first = start({ ...options, store: mortal.store })
    const { id, turn } = await ask(first)
    // Whoever follows the dead process hears nothing more from it.
    void turn.catch(() => undefined)
    await beforeDeath?.(first, id)
    mortal.kill()
    const passTime = (): void => void (now += store.leases.ttlMs + 1)
    passTime()
    return { id, store, passTime, second: start({ ...options, store }) }
  }

  it('the answer that came after its death is honoured, once', async () => {
    const { runs, ownTools } = countRuns()
    const { id, store, second } = await askAndDie({ ownTools })
    const after = await store.events.getLastId(id)
    expect(runs).toEqual([])
    await second.agent.approve(id, 'c1', true)
    const events = await collectTurn(store, id, 'm1', after)
    expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({ output: 'removed', isError: false })
    expect(events.map(({ type }) => type)).toContain('response-complete')
    expect(runs).toEqual(['c1'])
    expect(await store.inbox.list(id)).toEqual([])
  })

  it('without an answer the next owner asks again; nothing runs before', async () => {
    const { runs, ownTools } = countRuns()
    const { id, store, second } = await askAndDie({ ownTools })
    const after = await store.events.getLastId(id)
    await second.agent.resume(id)
    await waitForEvent(store, id, 'approval-needed', after)
    expect(runs).toEqual([])
    await second.agent.approve(id, 'c1', false)
    const events = await collectTurn(store, id, 'm1', after)
    expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({ isError: true })
    expect(runs).toEqual([])
  })

  it('what was allowed and may have run is not run again, however many owners end', async () => {
    const begun = Promise.withResolvers<void>()
    const { runs, ownTools } = countRuns(() => {
      begun.resolve()
      return new Promise<never>(() => undefined)
    })
    const { id, store, passTime } = await askAndDie({ ownTools }, async (under, sessionId) => {
      await under.agent.approve(sessionId, 'c1', true)
      await begun.promise
    })
    const mortal = createMortalStore(store, null)
    const asked = Promise.withResolvers<void>()
    const brief = start({
      ownTools,
      store: mortal.store,
      script: () => {
        asked.resolve()
        return { hangs: true }
      },
    })
    await brief.agent.resume(id)
    await asked.promise
    mortal.kill()
    passTime()
    const second = start({ ownTools, store })
    const after = await store.events.getLastId(id)
    await second.agent.resume(id)
    const events = await collectTurn(store, id, 'm1', after)
    expect(events.map(({ type }) => type)).not.toContain('approval-needed')
    expect(runs).toEqual(['c1'])
    const entries = await second.entries(id)
    expect(entries.find(({ type }) => type === 'interrupted')).toMatchObject({ toolCallIds: ['c1'], allowed: ['c1'] })
    expect(messagesOf(entries).at(-1)).toMatchObject({ role: 'assistant', finish: 'stop' })
  })

  it('a call that ran unasked is not asked about by the next owner, though the tool would ask by then', async () => {
    const begun = Promise.withResolvers<void>()
    let runs = 0
    // As a write to a file that is a script once it was written.
    const write = createTool('remove', {
      permit: () => (runs === 0 ? { verdict: 'allow' } : { verdict: 'ask', reason: 'It is a script by now.' }),
      run: () => {
        runs += 1
        begun.resolve()
        return new Promise<never>(() => undefined)
      },
    })
    let now = Date.now()
    const store = createInMemoryStore({ clock: () => now })
    const mortal = createMortalStore(store, null)
    const first = start({ ownTools: [write], store: mortal.store })
    const { id } = await first.agent.createSession({ title: 'named' })
    await first.agent.send(id, { id: 'm1', text: 'Remove it' })
    await begun.promise
    mortal.kill()
    now += store.leases.ttlMs + 1
    const second = start({ ownTools: [write], store })
    const after = await store.events.getLastId(id)
    await second.agent.resume(id)
    const events = await collectTurn(store, id, 'm1', after)
    expect(events.map(({ type }) => type)).not.toContain('approval-needed')
    expect(runs).toBe(1)
    const entries = await second.entries(id)
    expect(entries.find(({ type }) => type === 'interrupted')).toMatchObject({ toolCallIds: ['c1'] })
  })

  it('without an answer it is asked for again after a second death too, and after a shutdown in between', async () => {
    const { runs, ownTools } = countRuns()
    const { id, store, passTime } = await askAndDie({ ownTools })
    const mortal = createMortalStore(store, null)
    const second = start({ ownTools, store: mortal.store })
    let after = await store.events.getLastId(id)
    await second.agent.resume(id)
    await waitForEvent(store, id, 'approval-needed', after)
    mortal.kill()
    passTime()
    const third = start({ ownTools, store })
    after = await store.events.getLastId(id)
    await third.agent.resume(id)
    await waitForEvent(store, id, 'approval-needed', after)
    await third.agent.close()
    after = await store.events.getLastId(id)
    const fourth = start({ ownTools, store })
    await fourth.agent.approve(id, 'c1', true)
    const events = await collectTurn(store, id, 'm1', after)
    expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({ output: 'removed' })
    expect(runs).toEqual(['c1'])
    expect((await fourth.entries(id)).filter(({ type }) => type === 'interrupted')).toEqual([])
  })

  it('because it is shut down: the question is left to the next owner', async () => {
    const { runs, ownTools } = countRuns()
    const store = createInMemoryStore()
    const first = start({ ownTools, store })
    const { id } = await ask(first)
    await first.agent.close()
    expect(messagesOf(await first.entries(id)).map(({ role }) => role)).toEqual(['user', 'assistant'])
    const after = await store.events.getLastId(id)
    await start({ ownTools, store }).agent.approve(id, 'c1', true)
    const events = await collectTurn(store, id, 'm1', after)
    expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({ output: 'removed' })
    expect(runs).toEqual(['c1'])
  })
})
