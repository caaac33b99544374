import { describe, expect, it } from 'vitest'
import { findInvalid } from '../testing/find-invalid.ts'
import { EngineError } from '../policy/engine-error.ts'
import type { Entry } from '../transcript/entry.ts'
import type { Part } from '../transcript/message.ts'
import { createContext } from './create-context.ts'
import type { Context, ContextRequest, RequestMessage } from './create-context.ts'

const SUMMARY = `<summary>
+ Goal: plant every bed of the garden before the frost
+ Done: the beds so far were discussed one by one, each with its soil and its plants
+ Next: go on with the next bed in the order of the numbers
</summary>`
const ask = async (): Promise<string> => SUMMARY
const talk = (chars: number): string => 'The soil is dry and wants some water. '.repeat(chars / 38)

function validate({ messages }: ContextRequest): readonly string[] {
  return findInvalid({ messages: messages.map(toSealed) })
}

function toSealed({ role, content }: RequestMessage) {
  const parts: readonly Part[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return { role, parts }
}

describe('five lines', () => {
  it('work as they stand in the contract', async () => {
    const answer = 'Beans like it there.'
    const context = createContext({ windowTokens: 200_000, ask })
    await context.add({ role: 'user', content: 'Plant the garden.' })
    const request = await context.nextRequest({ signal: new AbortController().signal })
    await context.add({ role: 'assistant', content: answer }, { usage: { input: 120, output: 6 } })
    expect(request.messages).toEqual([{ role: 'user', content: 'Plant the garden.' }])
    expect(request).toMatchObject({ system: null, tools: [], tokens: expect.any(Number) as number })
    expect(request.manifest.items).toHaveLength(1)
    expect(context.measure()).toMatchObject({ tokens: 126, source: 'reported', windowTokens: 200_000 })
    expect(context.entries().map(({ type, seq }) => `${seq} ${type}`)).toEqual(['1 message', '2 message'])
  })

  it.each([true, false])(
    '300 turns of 3,000 characters never exceed a window of 16,000, with a model: %s',
    async (hasModel) => {
      const context = createContext({ windowTokens: 16_000, system: 'You help.', ...(hasModel ? { ask } : {}) })
      const compactions: string[] = []
      context.on('compact-completed', ({ fallback }) => void compactions.push(fallback ?? 'model'))
      for (let turn = 1; turn <= 300; turn += 1) {
        const fact = turn === 3 ? 'My allotment number is 4711-B. ' : ''
        await context.add({ role: 'user', content: `${fact}Bed ${turn}: ${talk(1_500)}` })
        const request = await context.nextRequest()
        expect(request.tokens).toBeLessThanOrEqual(16_000 - 4_000)
        expect(validate(request)).toEqual([])
        expect(JSON.stringify(request.messages.at(-1))).toContain(`Bed ${turn}:`)
        await context.add(
          { role: 'assistant', content: talk(1_500) },
          { usage: { input: request.tokens, output: 400 } },
        )
      }
      expect(compactions.length).toBeGreaterThan(10)
      expect(new Set(compactions)).toEqual(new Set([hasModel ? 'model' : 'extractive']))
      const [found] = await context.recall('What is my allotment number?')
      expect(found, 'a fact of the third turn').toMatchObject({ role: 'user', seq: 5 })
      expect(found?.excerpt).toContain('4711-B')
    },
  )
})

describe('a tool loop', () => {
  it('keeps calls and results together, and cuts a long result before it is stored', async () => {
    const context = createContext({ windowTokens: 16_000, ask })
    await context.add({ role: 'user', content: 'Read the book.' })
    for (let page = 1; page <= 40; page += 1) {
      const request = await context.nextRequest()
      expect(validate(request)).toEqual([])
      expect(request.tokens).toBeLessThanOrEqual(12_000)
      const call = { type: 'tool-call', toolCallId: `c${page}`, toolName: 'read', input: { page } } as const
      await context.add({ role: 'assistant', content: [call] })
      const output = page === 7 ? talk(80_000) : talk(4_000)
      await context.add({
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: `c${page}`, toolName: 'read', output }],
      })
    }
    expect(JSON.stringify(context.entries())).toContain('characters')
    expect(context.entries().some(({ type }) => type === 'compaction')).toBe(true)
  })
})

describe('a log of your own', () => {
  it('is awaited before anything rests on an entry, and opens to the same request', async () => {
    const log: string[] = []
    const options = {
      windowTokens: 16_000,
      ask,
      system: 'You help.',
      onAppend: async (entry: Entry) => void log.push(JSON.stringify(entry)),
    }
    const context = createContext(options)
    for (let turn = 1; turn <= 40; turn += 1) {
      await context.add({ role: 'user', content: `Bed ${turn}: ${talk(1_500)}` })
      await context.nextRequest()
      await context.add({ role: 'assistant', content: 'Noted.' })
    }
    await context.settled()
    await context.add({ role: 'user', content: 'And now?' })
    const entries = log.map((line) => JSON.parse(line) as Entry)
    expect(entries).toEqual(context.entries())
    const again = createContext({ ...options, entries })
    const [one, two] = [await context.nextRequest(), await again.nextRequest()]
    expect({ ...two, manifest: null }).toEqual({ ...one, manifest: null })
  })

  it('that takes nothing changes nothing', async () => {
    const context = createContext({ windowTokens: 16_000, onAppend: () => Promise.reject(new Error('disk full')) })
    await expect(context.add({ role: 'user', content: 'Hello' })).rejects.toThrow('disk full')
    expect(context.entries()).toEqual([])
    await expect(context.nextRequest()).rejects.toMatchObject({ code: 'nothing-to-send' })
  })
})

describe('what a person may ask for', () => {
  async function fill() {
    const context = createContext({ windowTokens: 32_000, ask })
    for (let turn = 1; turn <= 6; turn += 1) {
      await context.add({ role: 'user', content: `Bed ${turn}: ${talk(3_000)}` })
      await context.add({ role: 'assistant', content: talk(1_500) })
    }
    return context
  }

  it('compact, undo, pin, reset', async () => {
    const context = await fill()
    const before = (await context.nextRequest()).messages
    await expect(context.undo()).rejects.toMatchObject({ code: 'nothing-to-undo' })
    const result = await context.compact({ instructions: 'Keep the names of the plants.' })
    expect(result).toMatchObject({ didCompact: true, fallback: null })
    expect((await context.nextRequest()).messages.length).toBeLessThan(before.length)
    expect(await context.undo()).toEqual({ undone: [expect.any(String)] })
    expect((await context.nextRequest()).messages).toEqual(before)
    const pin = await context.pin('Never use poison.')
    expect(JSON.stringify((await context.nextRequest()).messages)).toContain('Never use poison.')
    await context.unpin(pin)
    expect(JSON.stringify((await context.nextRequest()).messages)).not.toContain('Never use poison.')
    await expect(context.pin(talk(20_000))).rejects.toMatchObject({ code: 'pin-too-large' })
    await context.reset()
    await context.add({ role: 'user', content: 'Anew.' })
    expect((await context.nextRequest()).messages).toEqual([{ role: 'user', content: 'Anew.' }])
  })

  it('a compaction by hand is put in place while a request is under way, too', async () => {
    const context = await fill()
    await context.add({ role: 'user', content: 'Go on.' })
    await context.nextRequest()
    expect(await context.compact()).toMatchObject({ didCompact: true })
  })

  it('a refusal by the provider makes room, and teaches the window', async () => {
    const context = await fill()
    await context.add({ role: 'user', content: 'Go on.' })
    const first = await context.nextRequest()
    expect(await context.refused({ limitTokens: 8_000 })).toBe(true)
    const second = await context.nextRequest()
    expect(second.tokens).toBeLessThan(Math.min(first.tokens, 8_000))
    expect(context.measure().windowTokens).toBe(8_000)
  })

  it('a refusal that names no limit teaches no window smaller than a request that was taken', async () => {
    const context = createContext({ windowTokens: 200_000, model: 'some-model' })
    await context.add({ role: 'user', content: 'Hello. '.repeat(200) })
    await context.nextRequest()
    await context.add({ role: 'assistant', content: 'I see.' }, { usage: { input: 9_500, output: 5 } })
    await context.add({ role: 'user', content: 'Go on.' })
    const { tokens } = await context.nextRequest()
    await context.refused()
    expect(tokens).toBeLessThan(9_800)
    expect(context.measure().windowTokens).toBe(9_500)
  })
})

describe('LH-08 a model that hangs', () => {
  it('holds up no request that fits; one that does not fit waits for a bounded time, then for code', async () => {
    let now = 0
    const timers = new Set<{ readonly at: number; readonly run: () => void }>()
    const pass = (ms: number): void => {
      now += ms
      for (const timer of timers) if (timer.at <= now) timer.run()
    }
    const context = createContext({
      windowTokens: 16_000,
      ask: () => new Promise<string>(() => undefined),
      now: () => now,
      after(ms, run) {
        const timer = { at: now + ms, run: () => (timers.delete(timer), run()) }
        timers.add(timer)
        return () => void timers.delete(timer)
      },
    })
    const waits: number[] = []
    for (let turn = 1; turn <= 60; turn += 1) {
      await context.add({ role: 'user', content: `Bed ${turn}: ${talk(3_000)}` })
      const begin = now
      await settle(context.nextRequest(), pass)
      waits.push(now - begin)
      await context.add({ role: 'assistant', content: 'Noted.' })
      pass(500)
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(15_000)
    expect(waits.filter((ms) => ms > 0).length).toBeLessThanOrEqual(3)
    const compactions = context.entries().filter(({ type }) => type === 'compaction')
    expect(compactions.length).toBeGreaterThan(1)
    expect(compactions).toMatchObject(compactions.map(() => ({ strategy: 'extractive', model: null })))
  })
})

/** Lets time pass, a second at a time, until something is settled. */
async function settle(work: Promise<unknown>, pass: (ms: number) => void): Promise<void> {
  const state = { isDone: false }
  void work.then(() => (state.isDone = true))
  for (;;) {
    // Work that waits for no clock ends within these.
    for (let tick = 0; tick < 3; tick += 1) await new Promise((resolve) => setTimeout(resolve, 0))
    if (state.isDone) return
    pass(1_000)
  }
}

describe('wrong input', () => {
  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ['null', null, /message: expected \{ role, content \}, got null/],
    ['a number', 7, /got 7/],
    ['nothing', undefined, /got nothing/],
    ['an empty object', {}, /role: expected user, assistant, tool, got nothing/],
    ['an unknown role', { role: 'robot', content: 'x' }, /role: expected .*got "robot"/],
    ['the system role', { role: 'system', content: 'x' }, /system text is an option/],
    ['content that is a number', { role: 'user', content: 5 }, /content: expected a string or a list of parts, got 5/],
    ['a part that is a string', { role: 'user', content: ['x'] }, /content\[0\]: expected a part/],
    [
      'an unknown part',
      { role: 'user', content: [{ type: 'audio' }] },
      /content\[0\]\.type: expected "text" or .*got "audio"/,
    ],
    [
      'a text part without text',
      { role: 'user', content: [{ type: 'text' }] },
      /content\[0\]\.text: expected a string, got nothing/,
    ],
    [
      'a call by the user',
      { role: 'user', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'b', input: {} }] },
      /in a message of role user/,
    ],
    [
      'calls in the shape of OpenAI',
      { role: 'assistant', content: 'x', tool_calls: [] },
      /tool_calls: expected calls as parts of the content/,
    ],
    [
      'content that is null',
      { role: 'user', content: null },
      /content: expected a string or a list of parts, got null/,
    ],
    ['a result that is a text', { role: 'tool', content: 'x' }, /content: expected a list of tool-result parts/],
    [
      'an output of another shape',
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'b', output: { type: 'text', value: 'x' } }],
      },
      /output: expected a string or a list of parts/,
    ],
  ]
  it.each(bad)('%s is refused in words, and changes nothing', async (_name, message, words) => {
    const context = createContext({ windowTokens: 16_000 })
    const added = context.add(message as never)
    await expect(added).rejects.toThrow(EngineError)
    await expect(added).rejects.toThrow(words)
    expect(context.entries()).toEqual([])
  })

  it.each([
    ['usage without numbers', { input: 'many', output: 1 }, /usage/],
    ['usage of another shape', { prompt_tokens: 1 }, /usage: expected \{ input, output \}, in tokens/],
  ])('%s', async (_name, usage, words) => {
    const context = createContext({ windowTokens: 16_000 })
    await expect(context.add({ role: 'assistant', content: 'x' }, { usage: usage as never })).rejects.toThrow(words)
    expect(context.entries()).toEqual([])
  })

  it.each([
    ['no options', undefined, /options: expected/],
    ['a window in words', { windowTokens: '200k' }, /windowTokens: expected a positive number of tokens.*got "200k"/],
    [
      'an unknown option',
      { windowTokens: 1_000, windowToken: 5 },
      /windowToken: expected a known option, got 5; did you mean windowTokens\?/,
    ],
    ['an unknown preset', { windowTokens: 1_000, policy: 'best' }, /policy: expected a preset \(oneclaw/],
    ['an unknown key', { windowTokens: 1_000, policy: { compaction: { trigger: 1 } } }, /compaction\.trigger/],
    ['a window of nothing', { windowTokens: 0 }, /windowTokens: expected a positive number of tokens.*got 0/],
    ['a window that is no number', { windowTokens: Number.NaN }, /got NaN/],
    [
      'tools of another library',
      { windowTokens: 1_000, tools: [{ type: 'function', function: { name: 'x' } }] },
      /tools\[0\]: expected \{ name, description, inputSchema \}/,
    ],
    [
      'a log out of order',
      { windowTokens: 1_000, entries: [{ type: 'reset', seq: 2, id: 'a', at: 0 }] },
      /entries\[0\]\.seq: expected 1: the whole log, in order, got 2/,
    ],
    ['a damaged log', { windowTokens: 1_000, entries: [{ type: 'message' }] }, /entries\[0\]: expected an entry/],
    ['a system text that is none', { windowTokens: 1_000, system: 5 }, /system: expected a string or null, got 5/],
    [
      'a strategy that cannot summarize',
      { windowTokens: 1_000, strategies: [{ name: 'own' }] },
      /strategies\[0\]: expected \{ name, summarize \}, got \{"name":"own"\}/,
    ],
    ['an ask that is none', { windowTokens: 1_000, ask: 'model' }, /ask: expected a function/],
  ])('options: %s', (_name, options, words) => {
    expect(() => createContext(options as never)).toThrow(words)
  })

  it('misspelled options of a call, and events that do not exist', async () => {
    const context = createContext({ windowTokens: 16_000 })
    await expect(context.add({ role: 'user', content: 'x' }, { usagee: {} } as never)).rejects.toThrow(
      /options\.usagee: expected usage.*did you mean usage\?/,
    )
    expect(context.entries()).toEqual([])
    await context.add({ role: 'user', content: 'x' })
    await expect(context.nextRequest({ sytem: 'x' } as never)).rejects.toThrow(/options\.sytem/)
    expect(() => context.on('compacted' as never, () => undefined)).toThrow(/event: expected .*compact-completed/)
  })

  it.each<[string, (context: Context) => unknown, RegExp]>([
    ['add', (context) => context.add({ role: 'user', content: 'x' }, 5 as never), /expected \{ usage \}, got 5/],
    ['add, both ways', (context) => context.add({ role: 'user', content: 'x', parts: [] } as never), /parts: expected/],
    ['nextRequest', (context) => context.nextRequest({ signal: 5 } as never), /signal: expected an AbortSignal, got 5/],
    ['nextRequest, system', (context) => context.nextRequest({ system: 5 } as never), /system: expected a string/],
    ['compact', (context) => context.compact('all' as never), /expected \{ instructions, signal \}, got "all"/],
    ['recall', (context) => context.recall(5 as never), /query: expected a string, got 5/],
    ['recall, limit', (context) => context.recall('x', { limit: 'a' } as never), /limit: expected a positive number/],
    ['refused', (context) => context.refused({ limitTokens: '8k' } as never), /limitTokens: expected .*got "8k"/],
    ['on', async (context) => context.on('trimmed', 'x' as never), /listener: expected a function, got "x"/],
  ])('an argument of the wrong kind is refused in words, and changes nothing: %s', async (_name, call, words) => {
    const context = createContext({ windowTokens: 16_000 })
    await context.add({ role: 'user', content: 'Hello.' })
    const before = [...context.entries()]
    await expect((async () => call(context))()).rejects.toThrow(words)
    await expect((async () => call(context))()).rejects.toThrow(EngineError)
    expect(context.entries()).toEqual(before)
    expect((await context.nextRequest()).messages).toEqual([{ role: 'user', content: 'Hello.' }])
  })

  it.each(['compact-started', 'summary-made', 'compact-completed', 'trimmed', 'pruned'] as const)(
    'a listener of %s that throws ends nothing; listeners of problems are told',
    async (type) => {
      const context = createContext({ windowTokens: 16_000, ask, policy: 'oneclaw' })
      const events: string[] = []
      const problems: unknown[] = []
      context.on('problem', ({ error }) => {
        problems.push(error)
        throw new Error('this one, too')
      })
      context.on(type, () => {
        throw new Error(type)
      })
      context.on(type, () => void events.push(type))
      for (let turn = 1; turn <= 40; turn += 1) {
        await context.add({ role: 'user', content: `Bed ${turn}: ${talk(1_500)}` })
        await context.nextRequest()
        await context.add({ role: 'assistant', content: 'Noted.' })
      }
      await context.settled()
      expect(problems).toEqual(events.map((name) => new Error(name)))
      expect(context.entries().filter((entry) => entry.type === 'message')).toHaveLength(80)
    },
  )

  it('a summary that cannot be had is told with its reason, and made by code', async () => {
    const context = createContext({ windowTokens: 16_000, ask: () => Promise.reject(new Error('no key')) })
    const problems: (string | null)[] = []
    context.on('compact-completed', ({ problem }) => void problems.push(problem))
    for (let turn = 1; turn <= 40; turn += 1) {
      await context.add({ role: 'user', content: `Bed ${turn}: ${talk(1_500)}` })
      await context.nextRequest()
      await context.add({ role: 'assistant', content: 'Noted.' })
    }
    expect(problems[0]).toContain('no key')
  })

  it('a request that can never fit is refused with the part that is too large', async () => {
    const context = createContext({ windowTokens: 2_000, ask })
    await context.add({ role: 'user', content: talk(38_000) })
    await expect(context.nextRequest()).rejects.toMatchObject({
      code: 'cannot-fit',
      message: expect.stringContaining('your message') as string,
    })
  })
})
