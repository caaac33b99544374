import { describe, expect, it } from 'vitest'
import { hostCodec } from '../testing/host-chat.ts'
import type { HostMessage } from '../testing/host-chat.ts'
import type { Entry } from '../transcript/entry.ts'
import { createMirror } from './create-mirror.ts'
import type { Mirror, SyncOptions } from './create-mirror.ts'

const talk = (chars: number): string => 'The soil is dry and wants some water. '.repeat(Math.ceil(chars / 38))
const ask = async (): Promise<string> =>
  `<summary>\n+ Goal: plant every bed of the garden before the frost comes\n+ Done: beds were discussed one by one, ${talk(100)}\n</summary>`
const me = (body: string): HostMessage => ({ from: 'me', body })
const bot = (body: string): HostMessage => ({ from: 'bot', body, signature: `sig ${body.slice(0, 10)}` })

function open(windowTokens = 16_000, entries: readonly Entry[] = []): Mirror<HostMessage> {
  return createMirror({ windowTokens, ask, codec: hostCodec, entries })
}

function said(mirror: Mirror<HostMessage>): readonly string[] {
  return mirror.entries().map((entry) => {
    if (entry.type !== 'message') return entry.type
    const [part] = entry.parts
    return part?.type === 'text' ? part.text.slice(0, 12) : (part?.type ?? '')
  })
}

describe('a host’s list', () => {
  it('comes back as it is, object by object, while it fits', async () => {
    const mirror = open()
    const list = [me('One'), bot('Two'), me('Three')]
    const sent = await mirror.sync(list)
    expect(sent).toHaveLength(3)
    sent.forEach((message, index) => expect(message).toBe(list[index]))
    expect(mirror.lastRequest()?.manifest.items).toHaveLength(3)
  })

  it('one call for each message of a chat app: nothing is stored twice, with new objects each time', async () => {
    const mirror = open(200_000)
    const history: HostMessage[] = []
    for (let turn = 1; turn <= 16; turn += 1) {
      history.push(me(`Question ${turn}`))
      const list = structuredClone(history)
      const sent = await mirror.sync(list)
      expect(sent).toEqual(list)
      sent.forEach((message, index) => expect(message).toBe(list[index]))
      history.push(bot(`Answer ${turn}`))
    }
    expect(mirror.entries()).toHaveLength(31)
  })

  it('a summary takes the place of old messages; the rest are the host’s own objects', async () => {
    const mirror = open()
    const list: HostMessage[] = []
    let sent: readonly HostMessage[] = []
    for (let turn = 1; turn <= 40; turn += 1) {
      list.push(me(`Bed ${turn}: ${talk(1_500)}`))
      sent = await mirror.sync(list)
      expect(sent.at(-1)).toBe(list.at(-1))
      mirror.bill({ input: mirror.lastRequest()?.tokens ?? 0, output: 100 })
      list.push(bot(`Noted ${turn}.`))
    }
    expect(sent.length).toBeLessThan(list.length - 1)
    expect(sent[0]).toMatchObject({ from: 'me', isWritten: true })
    for (const message of sent.slice(1)) expect(list).toContain(message)
    expect(mirror.entries().filter(({ type }) => type === 'message')).toHaveLength(79)
    expect(mirror.measure().source).toBe('reported')
  })

  it('an answer has the time of its request, so that a pause before the next call is seen', async () => {
    let now = 1_000
    const mirror = createMirror({ windowTokens: 16_000, ask, codec: hostCodec, now: () => now })
    await mirror.sync([me('One')])
    mirror.bill({ input: 10, output: 5 })
    now += 3_600_000
    await mirror.sync([me('One'), bot('Two'), me('Three')])
    expect(mirror.entries().map(({ at }) => at)).toEqual([1_000, 1_000, 3_601_000])
  })

  it('the same list twice gives the same objects; after a restart, the same bytes', async () => {
    const mirror = open()
    const list = Array.from({ length: 40 }, (_, turn) => [me(`Bed ${turn}: ${talk(1_500)}`), bot('Noted.')]).flat()
    list.push(me('And now?'))
    await mirror.sync(list)
    await mirror.settled()
    const [one, two] = [await mirror.sync(list), await mirror.sync(list)]
    expect(two).toHaveLength(one.length)
    two.forEach((message, index) => expect(message).toBe(one[index]))
    const again = open(16_000, JSON.parse(JSON.stringify(mirror.entries())) as Entry[])
    const restarted = await again.sync(list)
    expect(restarted).toEqual(one)
    expect(restarted.at(-1)).toBe(list.at(-1))
    expect(again.entries()).toEqual(mirror.entries())
  })

  it.each(['as they are', 'as copies'])(
    'a host that hands back the list it was given, %s, with its news behind it',
    async (how) => {
      const mirror = open()
      let list: readonly HostMessage[] = [me('Read the book.')]
      for (let page = 1; page <= 40; page += 1) {
        const sent = await mirror.sync(list)
        const call: HostMessage = { from: 'bot', body: [{ run: 'look', id: `c${page}`, args: { page } }] }
        const result: HostMessage = {
          from: 'tools',
          body: [{ answer: `Page ${page}. ${talk(2_000)}`, id: `c${page}` }],
        }
        list = [...(how === 'as copies' ? structuredClone(sent) : sent), call, result]
      }
      const messages = mirror.entries().filter(({ type }) => type === 'message')
      expect(messages).toHaveLength(1 + 39 * 2)
      expect(mirror.entries().some(({ type }) => type === 'branch')).toBe(false)
      expect(mirror.entries().some(({ type }) => type === 'compaction')).toBe(true)
      expect(JSON.stringify(messages)).not.toContain('isWritten')
    },
  )

  it('system messages inside the list stay where they are, and are measured', async () => {
    const mirror = open()
    const setup: HostMessage = { from: 'setup', body: talk(4_000) }
    const list = [setup, me('One'), bot('Two'), me('Three')]
    expect(await mirror.sync(list)).toEqual(list)
    expect(mirror.entries().filter(({ type }) => type === 'message')).toHaveLength(3)
    expect(mirror.measure().tokens).toBeGreaterThan(800)
  })

  it('a result that is too long is sent shortened, beside its own call', async () => {
    const mirror = open()
    const call: HostMessage = { from: 'bot', body: [{ run: 'look', id: 'c1', args: { page: 1 } }], signature: 's' }
    const result: HostMessage = { from: 'tools', body: [{ answer: talk(80_000), id: 'c1' }] }
    const list = [me('Read.'), call, result]
    const sent = await mirror.sync(list)
    expect(sent[1]).toBe(call)
    expect(sent[2]).toMatchObject({ isWritten: true, from: 'tools' })
    expect(JSON.stringify(sent[2]).length).toBeLessThan(40_000)
    expect(await mirror.sync(list)).toEqual(sent)
    expect(mirror.entries().filter(({ type }) => type === 'message')).toHaveLength(3)
  })

  it('a list of nothing but system text is sent as it is', async () => {
    const setup: HostMessage = { from: 'setup', body: 'You help.' }
    expect(await open().sync([setup])).toEqual([setup])
    expect(await open().sync([])).toEqual([])
  })
})

describe('a host that changes its mind', () => {
  it('an answer that is asked for again makes a branch; the other answer stays in the log', async () => {
    const mirror = open()
    await mirror.sync([me('One'), bot('Two'), me('Three')])
    const list = [me('One'), bot('Two, again'), me('Three')]
    const sent = await mirror.sync(list)
    sent.forEach((message, index) => expect(message).toBe(list[index]))
    expect(said(mirror)).toEqual(['One', 'Two', 'Three', 'branch', 'Two, again', 'Three'])
  })

  it('going back to an earlier list stores nothing again', async () => {
    const mirror = open()
    const [one, other] = [
      [me('One'), bot('Two'), me('Three')],
      [me('One'), bot('2'), me('3')],
    ]
    for (const list of [one, other, one, other]) expect(await mirror.sync(list)).toEqual(list)
    expect(mirror.entries().filter(({ type }) => type === 'message')).toHaveLength(5)
    expect(said(mirror).filter((type) => type === 'branch')).toHaveLength(3)
  })

  it('messages that are taken back are out of the context', async () => {
    const mirror = open()
    await mirror.sync([me('One'), bot('Two'), me('Three')])
    expect(await mirror.sync([me('One')])).toEqual([me('One')])
    expect(await mirror.sync([me('Something else')])).toEqual([me('Something else')])
  })

  it('an edit before a compaction gets its own view, without the summary of what was taken back', async () => {
    const mirror = open()
    const list = Array.from({ length: 40 }, (_, turn) => [me(`Bed ${turn}: ${talk(1_500)}`), bot('Noted.')]).flat()
    list.push(me('And now?'))
    await mirror.sync(list)
    await mirror.settled()
    expect((await mirror.sync(list))[0]).toMatchObject({ isWritten: true })
    const edited = [...list.slice(0, 2), me('Forget the beds.')]
    const sent = await mirror.sync(edited)
    sent.forEach((message, index) => expect(message).toBe(edited[index]))
    expect(sent).toHaveLength(3)
  })

  it('an answer that the host is still filling in place is read again', async () => {
    const mirror = open()
    const answer = { from: 'bot' as const, body: 'Tw' }
    const list = [me('One'), answer, me('Go on')]
    await mirror.sync(list)
    answer.body = 'Two'
    await mirror.sync(list)
    expect(said(mirror)).toEqual(['One', 'Tw', 'Go on', 'branch', 'Two', 'Go on'])
  })
})

describe('bad lists', () => {
  it('a codec that throws changes nothing', async () => {
    const broken = createMirror<HostMessage>({
      windowTokens: 16_000,
      codec: {
        ...hostCodec,
        read: () => {
          throw new Error('not a message of this host')
        },
      },
    })
    await expect(broken.sync([me('One')])).rejects.toThrow('not a message of this host')
    expect(broken.entries()).toEqual([])
  })
})

describe('what is no message', () => {
  it.each<[string, unknown, RegExp]>([
    ['no list', null, /messages: expected a list, got null/],
    ['a text', 'Hello', /messages: expected a list, got "Hello"/],
    ['another role', [{ role: 'robot', parts: [] }], /codec\.read: role: expected .*got "robot"/],
    ['parts that are no list', [{ role: 'user', parts: 'x' }], /codec\.read: parts: expected a list of parts, got "x"/],
    ['a text without words', [{ role: 'user', parts: [{ type: 'text' }] }], /parts\[0\]\.text: expected a string/],
    ['a part of another type', [{ role: 'user', parts: [{ type: 'audio' }] }], /parts\[0\]\.type: .*got "audio"/],
  ])('is refused in words, and changes nothing: %s', async (_name, list, words) => {
    const mirror = createMirror<object>({
      windowTokens: 16_000,
      codec: { read: (message) => message as never, write: (message) => message },
    })
    const good = { role: 'user', parts: [{ type: 'text', text: 'Hello.' }] }
    await mirror.sync([good])
    await expect(mirror.sync(Array.isArray(list) ? [good, ...list] : (list as never))).rejects.toThrow(words)
    expect(mirror.entries()).toHaveLength(1)
    expect(await mirror.sync([good])).toEqual([good])
  })

  it('options: each that there is is taken, others and wrong kinds are refused', async () => {
    const mirror = open()
    const all: Required<SyncOptions> = {
      signal: new AbortController().signal,
      system: 'Be kind.',
      tools: [],
      isTail: true,
      appendedTokens: 10,
    }
    expect(await mirror.sync([me('Hello.')], all)).toHaveLength(1)
    const wrong: readonly [unknown, RegExp][] = [
      [{ isTal: true }, /options\.isTal: expected signal, .*did you mean isTail\?/],
      [{ isTail: 'yes' }, /options\.isTail: expected true or false, got "yes"/],
      [{ appendedTokens: Number.NaN }, /options\.appendedTokens: expected a number of tokens, got NaN/],
      [{ tools: [{}] }, /tools\[0\]: expected/],
    ]
    for (const [options, words] of wrong)
      await expect(mirror.sync([me('Hello.')], options as never)).rejects.toThrow(words)
  })

  it('a codec that is none is refused at once', () => {
    expect(() => createMirror({ windowTokens: 16_000 } as never)).toThrow(
      /codec: expected \{ read, write \}, got nothing/,
    )
    expect(() => createMirror({ windowTokens: 16_000, codec: { read: 5 } } as never)).toThrow(
      /codec\.read: expected a f/,
    )
  })
})
