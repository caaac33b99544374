import { createModels } from '@longhaul/models'
import type { ModelFailure, Models } from '@longhaul/models/port'
import { createHttpError } from '@longhaul/models/testing'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../port/agent-event.ts'
import { createTool } from '../testing/create-tool.ts'
import { messagesOf, textOf } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { waitForEvent } from '../testing/wait-for.ts'

const start = useAgents()
const named = { title: 'named' }

function typesOf(events: readonly AgentEvent[]): readonly AgentEvent['type'][] {
  return events.map(({ type }) => type)
}

describe('the events of a turn', () => {
  it('come in the order of the contract, all with the id of the message', async () => {
    const under = start({
      ownTools: [createTool('look')],
      script: [
        { reasoning: 'Hm.', text: 'Let me see. ', toolCalls: [{ id: 'c1', name: 'look', input: { at: 'it' } }] },
        'There it is.',
      ],
    })
    const { id } = await under.agent.createSession(named)
    const events = await under.say(id, 'Where is it?', 'm1')
    expect(new Set(events.map(({ turnId }) => turnId))).toEqual(new Set(['m1']))
    const types = typesOf(events).filter((type) => type !== 'reasoning-delta')
    // In how many pieces the words come is nobody’s business.
    expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
      'message-stored',
      'text-delta',
      'tool-call',
      'usage',
      'tool-result',
      'text-delta',
      'usage',
      'response-complete',
      'done',
    ])
    const [, answer] = messagesOf(await under.entries(id)).filter(({ role }) => role === 'assistant')
    expect(events.find(({ type }) => type === 'response-complete')).toMatchObject({
      id: answer?.id,
      text: 'There it is.',
    })
    expect(events.find(({ type }) => type === 'tool-call')).toMatchObject({
      id: 'c1',
      name: 'look',
      input: { at: 'it' },
    })
  })

  it('the reply is durable when it is said to be complete', async () => {
    const under = start({ script: () => 'Hello.' })
    const { id } = await under.agent.createSession(named)
    await under.agent.send(id, { text: 'Hi' })
    const { id: answerId } = await waitForEvent(under.store, id, 'response-complete')
    expect((await under.store.entries.find(id, answerId))?.type).toBe('message')
  })

  it('ONE-10 maintenance that follows the reply reports on the same turn, before done', async () => {
    const under = start({
      preset: 'oneclaw',
      windowTokens: 8_000,
      script: ({ tools = [] }) => (tools.length === 0 ? '<summary>Words were said.</summary>' : 'Noted. '.repeat(30)),
    })
    const { id } = await under.agent.createSession(named)
    for (let turn = 1; turn <= 30; turn += 1) {
      const events = await under.say(id, `Message ${turn}. ${'Some more words about the garden. '.repeat(30)}`)
      const types = typesOf(events)
      if (!types.includes('compact-completed')) continue
      expect(types.indexOf('compact-started')).toBeGreaterThan(types.indexOf('response-complete'))
      expect(types.indexOf('compact-completed')).toBeGreaterThan(types.indexOf('compact-started'))
      expect(types.at(-1)).toBe('done')
      return
    }
    expect.unreachable('nothing was compacted')
  })
})

describe('rounds of tool calls', () => {
  it('end at the limit: the model is told to call nothing, and what it says then is the answer', async () => {
    const under = start({
      maxToolRounds: 3,
      ownTools: [createTool('again')],
      script: ({ toolChoice }) =>
        toolChoice?.type === 'none' ? 'Enough.' : { toolCalls: [{ name: 'again', input: {} }] },
    })
    const { id } = await under.agent.createSession(named)
    const events = await under.say(id, 'Go')
    expect(events.filter(({ type }) => type === 'tool-result')).toHaveLength(3)
    expect(events.find(({ type }) => type === 'response-complete')).toMatchObject({ text: 'Enough.' })
  })

  it('a model that calls all the same is not obeyed; the user hears of it, and the bill counts', async () => {
    const under = start({
      maxToolRounds: 2,
      ownTools: [createTool('again')],
      script: () => ({ toolCalls: [{ name: 'again', input: {} }], usage: { input: 10, output: 1 } }),
    })
    const { id } = await under.agent.createSession(named)
    const events = await under.say(id, 'Go')
    expect(events.filter(({ type }) => type === 'tool-result')).toHaveLength(2)
    expect(events.find(({ type }) => type === 'error')).toMatchObject({ code: 'budget-exhausted' })
    const messages = messagesOf(await under.entries(id))
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', finish: 'error', parts: [], usage: { input: 10 } })
  })
})

describe('a turn that fails', () => {
  it('is told with the code of the provider’s failure; the next message is answered', async () => {
    const under = start({
      script: (_request, index) =>
        index === 0 ? { fails: createHttpError({ status: 401, message: 'invalid x-api-key' }) } : 'Here.',
    })
    const { id } = await under.agent.createSession(named)
    const failed = await under.say(id, 'Hi')
    expect(failed.find(({ type }) => type === 'error')).toMatchObject({ code: 'provider-auth' })
    expect(typesOf(failed).at(-1)).toBe('done')
    expect(typesOf(await under.say(id, 'Hi again'))).toContain('response-complete')
  })

  it('had lost its reason once the events were gone: it is stored with the answer, and the model never sees it', async () => {
    const under = start({
      script: (_request, index) =>
        index === 0 ? { fails: createHttpError({ status: 401, message: 'invalid x-api-key' }) } : 'Here.',
    })
    const { id } = await under.agent.createSession(named)
    await under.say(id, 'Hi')
    const failure = { code: 'provider-auth', message: 'invalid x-api-key' }
    expect(messagesOf(await under.entries(id)).at(-1)).toMatchObject({ finish: 'error', failure })
    await under.say(id, 'Hi again')
    expect(JSON.stringify(under.model.calls.at(-1)?.prompt)).not.toContain('x-api-key')
  })

  it('stores no secret, also where the models are somebody’s own', async () => {
    const failure: ModelFailure = {
      kind: 'auth',
      message: 'Refused: password="tr0ub4dor&3"',
      isRetryable: false,
      status: 401,
      retryAfterMs: null,
      tokens: null,
    }
    const models: Models = {
      ...createModels({}),
      async *stream() {
        yield { type: 'failure', failure, parts: [], usage: null }
      },
    }
    const under = start({ models })
    const { id } = await under.agent.createSession(named)
    const events = await under.say(id, 'Hi')
    const message = 'Refused: password=[redacted]'
    expect(messagesOf(await under.entries(id)).at(-1)).toMatchObject({ failure: { message } })
    expect(events.find(({ type }) => type === 'error')).toMatchObject({ message })
  })

  it('keeps what had come of an answer that broke off', async () => {
    const under = start({
      script: [{ text: ['Once ', 'upon'], breaksOff: { afterPieces: 1, how: { error: new Error('socket hang up') } } }],
    })
    const { id } = await under.agent.createSession(named)
    const events = await under.say(id, 'Tell me')
    expect(events.find(({ type }) => type === 'error')).toMatchObject({ code: 'provider-unavailable' })
    const [, answer] = messagesOf(await under.entries(id))
    expect(answer).toMatchObject({ finish: 'error' })
    expect(answer === undefined ? '' : textOf(answer)).toBe('Once ')
  })

  it('by a mistake of ours ends like any other, and nothing waits for ever', async () => {
    const under = start({
      ownTools: [createTool('fine')],
      script: (_request, index) => (index === 0 ? { toolCalls: [{ id: 'c1', name: 'fine', input: {} }] } : 'Here.'),
    })
    const { id } = await under.agent.createSession(named)
    const append = under.store.entries.append.bind(under.store.entries)
    let isBroken = true
    under.store.entries.append = async (step) => {
      const isResult = step.entries.some((entry) => entry.type === 'message' && entry.role === 'tool')
      if (isResult && isBroken) throw new Error('a mistake')
      return append(step)
    }
    const events = await under.say(id, 'Go')
    expect(events.find(({ type }) => type === 'error')).toMatchObject({ code: 'internal' })
    expect(under.lines).toContainEqual(expect.objectContaining({ event: 'turn-failed', message: 'a mistake' }))
    expect(typesOf(events).at(-1)).toBe('done')
    const entries = await under.entries(id)
    expect(entries.find(({ type }) => type === 'interrupted')).toMatchObject({ toolCallIds: ['c1'] })
    isBroken = false
    expect(typesOf(await under.say(id, 'And now?'))).toContain('response-complete')
  })
})

describe('a provider that refuses a request for other reasons than its size in tokens', () => {
  const binding = createHttpError({
    status: 400,
    message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
  })
  const thinking = { reasoning: 'Hm.', reasoningMetadata: { anthropic: { signature: 'abc' } }, text: 'So.' }

  it('reasoning bound to something else is left out, and not sent again in this context', async () => {
    const under = start({
      scripted: { provider: 'anthropic.messages' },
      script: ({ prompt }, index) => {
        const hasReasoning = JSON.stringify(prompt).includes('"type":"reasoning"')
        return index > 0 && hasReasoning ? { fails: binding } : thinking
      },
    })
    const { id } = await under.agent.createSession(named)
    await under.say(id, 'One')
    const second = await under.say(id, 'Two')
    expect(second.filter(({ type }) => type === 'retry')).toMatchObject([{ reason: 'thinking-binding' }])
    expect(typesOf(second)).toContain('response-complete')
    const third = await under.say(id, 'Three')
    expect(third.filter(({ type }) => type === 'retry')).toEqual([])
    expect(under.model.calls).toHaveLength(4)
  })

  it('too many bytes: fewer are sent until it fits', async () => {
    const tooLarge = createHttpError({
      status: 413,
      message: 'Request exceeds the maximum size',
      code: 'request_too_large',
    })
    const under = start({
      windowTokens: 200_000,
      script: ({ prompt }) => (JSON.stringify(prompt).length > 60_000 ? { fails: tooLarge } : 'Fine.'),
    })
    const { id } = await under.agent.createSession(named)
    for (let turn = 1; turn <= 6; turn += 1) {
      const events = await under.say(id, `Message ${turn}. ${'word '.repeat(3_000)}`)
      expect(typesOf(events)).toContain('response-complete')
    }
    const sizes = under.model.calls.map(({ prompt }) => JSON.stringify(prompt).length)
    expect(Math.max(...sizes)).toBeGreaterThan(60_000)
    // Learnt once: later turns are not refused first.
    expect(sizes.filter((size) => size > 60_000)).toHaveLength(1)
  })

  it('less of an answer is asked for from then on, where the endpoint counts otherwise than we do', async () => {
    const message =
      'input length and `max_tokens` exceed context limit: 5000 + 4096 > 8000, decrease input length or `max_tokens` and try again'
    const under = start({
      script: ({ maxOutputTokens = 0 }) =>
        maxOutputTokens > 2_500 ? { fails: createHttpError({ status: 400, message }) } : 'Short.',
    })
    const { id } = await under.agent.createSession(named)
    expect(typesOf(await under.say(id, 'One'))).toContain('retry')
    expect(typesOf(await under.say(id, 'Two'))).not.toContain('retry')
    expect(under.model.calls.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([4_096, 2_048, 2_048])
  })

  it('prompt and answer together too long: less of an answer is asked for', async () => {
    const message =
      'input length and `max_tokens` exceed context limit: 900 + 4096 > 4000, decrease input length or `max_tokens` and try again'
    const under = start({
      script: ({ maxOutputTokens = 0 }) =>
        maxOutputTokens > 2_000 ? { fails: createHttpError({ status: 400, message }) } : 'Short.',
    })
    const { id } = await under.agent.createSession(named)
    expect(typesOf(await under.say(id, 'Hi'))).toContain('response-complete')
    expect(under.model.calls.at(-1)?.maxOutputTokens).toBeLessThanOrEqual(2_000)
  })
})

describe('a message that is cancelled before its turn begins', () => {
  it('is stored and not answered; one that was sent after the cancel is', async () => {
    const under = start({ script: () => 'Here.' })
    const { id } = await under.agent.createSession(named)
    const { inbox } = under.store
    await inbox.put({ sessionId: id, id: 'x0', at: 1, kind: 'cancel', payload: {} })
    await inbox.put({ sessionId: id, id: 'm1', at: 2, kind: 'message', payload: { text: 'First' } })
    await inbox.put({ sessionId: id, id: 'x1', at: 3, kind: 'cancel', payload: {} })
    await inbox.put({ sessionId: id, id: 'm2', at: 4, kind: 'message', payload: { text: 'Second' } })
    await under.agent.resume(id)
    await waitForEvent(under.store, id, 'response-complete')
    const messages = messagesOf(await under.entries(id))
    expect(messages.map(({ role, finish }) => finish ?? role)).toEqual(['user', 'aborted', 'user', 'stop'])
    expect(under.model.calls).toHaveLength(1)
    expect(await inbox.list(id)).toEqual([])
  })
})
