import { afterEach, describe, expect, it } from 'vitest'
import type { Tool } from '@longhaul/tools/port'
import { createInMemoryStore } from '@longhaul/store'
import { collectTurn, messagesOf, startAgent, textOf } from '../testing/start-agent.ts'
import type { AgentUnderTest, StartOptions } from '../testing/start-agent.ts'

const running: AgentUnderTest[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})
function start(options: StartOptions = {}): AgentUnderTest {
  const started = startAgent(options)
  running.push(started)
  return started
}

/** A promise with its key outside. */
function gate(): { readonly opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

describe('messages sent while a turn runs', () => {
  it('are stored at once, answered in order, each on its own', async () => {
    const first = gate()
    const under = start({
      script: async (_request, index) => {
        if (index === 0) await first.opened
        return `Answer ${index + 1}`
      },
      spend: { maintenanceUsdPerDay: 0, sessionUsd: null },
    })
    const { id } = await under.agent.createSession({ title: 'named' })
    const sent = []
    for (let index = 0; index < 10; index += 1) {
      sent.push(await under.agent.send(id, { id: `m${index}`, text: `Message ${index}` }))
    }
    first.open()
    const last = sent.at(-1)
    await collectTurn(under.store, id, 'm9', last?.afterEvent ?? 0)
    const messages = messagesOf(await under.entries(id))
    expect(messages.map(({ role }) => role)).toEqual(Array.from({ length: 10 }, () => ['user', 'assistant']).flat())
    expect(messages.filter(({ role }) => role === 'user').map(textOf)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Message ${index}`),
    )
  })

  it('the same id and text again is the same message; another text is a conflict', async () => {
    const under = start()
    const { id } = await under.agent.createSession()
    await under.say(id, 'Hello', 'm1')
    expect((await under.agent.send(id, { id: 'm1', text: 'Hello' })).status).toBe('settled')
    await expect(under.agent.send(id, { id: 'm1', text: 'Other' })).rejects.toMatchObject({ code: 'id-conflict' })
    expect(messagesOf(await under.entries(id))).toHaveLength(2)
  })
})

describe('cancel', () => {
  it('stops a stream at once, keeps what had come, and the next message is answered', async () => {
    const under = start({
      script: (_request, index) =>
        index === 0 ? { text: ['Once upon ', 'a time'], breaksOff: { afterPieces: 1, how: 'hang' } } : 'Here I am.',
    })
    const { id } = await under.agent.createSession({ title: 'named' })
    const { afterEvent } = await under.agent.send(id, { id: 'm1', text: 'Tell me a story' })
    await waitFor(under, id, 'text-delta')
    await under.agent.cancel(id)
    const events = await collectTurn(under.store, id, 'm1', afterEvent)
    expect(events.map(({ type }) => type)).not.toContain('response-complete')
    const [, answer] = messagesOf(await under.entries(id))
    expect(answer).toMatchObject({ role: 'assistant', finish: 'aborted' })
    expect(answer === undefined ? '' : textOf(answer)).toBe('Once upon ')
    const next = await under.say(id, 'Are you there?')
    expect(next.map(({ type }) => type)).toContain('response-complete')
  })
})

describe('approval', () => {
  const rm: Tool = {
    name: 'remove',
    description: 'removes a file',
    inputSchema: { type: 'object' },
    permit: () => ({ verdict: 'ask', reason: 'Remove it?' }),
    run: async () => ({ output: 'removed' }),
  }
  const script: StartOptions['script'] = (_request, index) =>
    index === 0 ? { toolCalls: [{ id: 'c1', name: 'remove', input: {} }] } : 'Done.'

  it.each([
    [true, 'removed', false],
    [false, 'Not run: the user did not allow it.', true],
  ])('waits for a person: %s', async (allow, output, isError) => {
    const under = start({ script, ownTools: [rm] })
    const { id } = await under.agent.createSession({ title: 'named' })
    const { afterEvent } = await under.agent.send(id, { id: 'm1', text: 'Remove it' })
    await waitFor(under, id, 'approval-needed')
    await under.agent.approve(id, 'c1', allow)
    const events = await collectTurn(under.store, id, 'm1', afterEvent)
    expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({ output, isError })
  })

  it('times out to no', async () => {
    const under = start({ script, ownTools: [rm], approvalTimeoutMs: 20 })
    const { id } = await under.agent.createSession({ title: 'named' })
    const events = await under.say(id, 'Remove it')
    expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({ isError: true })
  })
})

describe('another process', () => {
  it('goes on with a turn that was parked, and never repeats a tool', async () => {
    const store = createInMemoryStore()
    let runs = 0
    const slow: Tool = {
      name: 'slow',
      description: 'takes its time',
      inputSchema: { type: 'object' },
      permit: () => ({ verdict: 'allow' }),
      run: (_input, { signal }) => {
        runs += 1
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
        )
      },
    }
    const first = startAgent({
      store,
      ownTools: [slow],
      script: [{ toolCalls: [{ id: 'c1', name: 'slow', input: {} }] }],
    })
    const { id } = await first.agent.createSession({ title: 'named' })
    await first.agent.send(id, { id: 'm1', text: 'Go' })
    await waitFor(first, id, 'tool-call')
    await first.agent.close()

    const second = start({ store, ownTools: [slow], script: () => 'Finished.' })
    const after = await store.events.getLastId(id)
    await second.agent.resume(id)
    const events = await collectTurn(store, id, 'm1', after)
    expect(events.map(({ type }) => type)).toContain('response-complete')
    expect(runs).toBe(1)
    expect(messagesOf(await second.entries(id)).at(-1)).toMatchObject({ role: 'assistant', finish: 'stop' })
  })
})

async function waitFor(under: AgentUnderTest, sessionId: string, type: string): Promise<void> {
  for (;;) {
    const events = await under.store.events.read(sessionId, 0, 1_000)
    if (events.some(({ event }) => event['type'] === type)) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}
