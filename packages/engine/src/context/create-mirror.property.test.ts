import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pairTools } from '../messages/tool-pairs.ts'
import { hostCodec } from '../testing/host-chat.ts'
import type { HostMessage } from '../testing/host-chat.ts'
import type { Entry } from '../transcript/entry.ts'
import type { Message } from '../transcript/message.ts'
import { createMirror } from './create-mirror.ts'
import type { Mirror } from './create-mirror.ts'

const WINDOW_TOKENS = 6_000
const INPUT_TOKENS = 4_500
const talk = (words: number): string => 'dry soil wants water '.repeat(words)

type Step =
  | { readonly kind: 'say'; readonly words: number }
  | { readonly kind: 'use-tool'; readonly words: number }
  | { readonly kind: 'edit' | 'branch' | 'take-back' | 'delete'; readonly where: number }
  | { readonly kind: 'restart' | 'replay' | 'return' | 'clone' | 'compact' | 'undo' }

const where = fc.nat(1_000)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('say' as const), words: fc.integer({ min: 1, max: 120 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('use-tool' as const), words: fc.integer({ min: 1, max: 400 }) }),
  },
  fc.record({
    kind: fc.constantFrom('edit' as const, 'branch' as const, 'take-back' as const, 'delete' as const),
    where,
  }),
  fc.record({
    kind: fc.constantFrom(
      'restart' as const,
      'replay' as const,
      'return' as const,
      'clone' as const,
      'compact' as const,
      'undo' as const,
    ),
  }),
)

/** A host with a history of its own, as an app has it: exchanges that begin with the user. */
function createHost() {
  let history: HostMessage[][] = []
  const earlier: HostMessage[][][] = []
  let count = 0
  const keep = (): void => void earlier.push([...history])
  return {
    list: (): HostMessage[] => history.flat(),
    say(words: number) {
      count += 1
      history = [
        ...history.slice(0, -1),
        ...close(history.at(-1), count),
        [{ from: 'me', body: `Ask ${count}. ${talk(words)}` }],
      ]
    },
    useTool(words: number) {
      count += 1
      const id = `call ${count}`
      const last = history.at(-1) ?? [{ from: 'me', body: 'Look.' } as const]
      const call: HostMessage = { from: 'bot', body: [{ run: 'look', id, args: { count } }], signature: id }
      history = [...history.slice(0, -1), [...last, call, { from: 'tools', body: [{ answer: talk(words), id }] }]]
    },
    edit(place: number) {
      keep()
      count += 1
      history = history.map((exchange, index) =>
        index === place % history.length ? [{ from: 'me', body: `Edited ${count}.` }, ...exchange.slice(1)] : exchange,
      )
    },
    branch(place: number) {
      keep()
      count += 1
      history = [...history.slice(0, place % history.length), [{ from: 'me', body: `Instead ${count}.` }]]
    },
    takeBack(place: number) {
      keep()
      history = history
        .slice(0, (place % history.length) + 1)
        .map((exchange, index, all) => (index === all.length - 1 ? exchange.slice(0, 1) : exchange))
    },
    delete(place: number) {
      if (history.length < 2) return
      keep()
      const index = place % (history.length - 1)
      history = history.filter((_, each) => each !== index)
    },
    return() {
      const before = earlier.pop()
      if (before !== undefined && before.length > 0) history = before
    },
    clone() {
      history = structuredClone(history)
    },
  }
}

function close(exchange: HostMessage[] | undefined, count: number): HostMessage[][] {
  return exchange === undefined
    ? []
    : [[...exchange, { from: 'bot', body: `Answer ${count}.`, signature: `s${count}` }]]
}

function open(entries: readonly Entry[]): Mirror<HostMessage> {
  const ask = async (): Promise<string> =>
    `<summary>\n+ Goal: water the beds every evening and every morning\n+ Done: ${talk(10)}\n</summary>`
  return createMirror({ windowTokens: WINDOW_TOKENS, codec: hostCodec, ask, entries })
}

function read(message: HostMessage): Message {
  return hostCodec.read(message) as Message
}

function check(sent: readonly HostMessage[], list: readonly HostMessage[], mirror: Mirror<HostMessage>): void {
  const own = new Set(list)
  for (const message of sent)
    if (message.isWritten === undefined) expect(own.has(message), 'a host’s own object').toBe(true)
  const newest = list.findLast(({ from }) => from === 'me')
  expect(sent, 'the newest user message').toContain(newest)
  if (sent.every(({ isWritten }) => isWritten === undefined)) expect(sent).toEqual(list)
  const order = sent.filter(({ isWritten }) => isWritten === undefined).map((message) => list.indexOf(message))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  for (const { call, answer } of pairTools(sent.map(read)))
    expect(answer, `result of ${call.toolCallId}`).not.toBeNull()
  const calls = new Set(
    sent.flatMap((message) =>
      read(message).parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])),
    ),
  )
  for (const part of sent.flatMap((message) => read(message).parts))
    if (part.type === 'tool-result') expect(calls).toContain(part.toolCallId)
  expect(mirror.measure().tokens).toBeLessThanOrEqual(INPUT_TOKENS)
}

/** No message stands twice behind the same message. */
function checkLog(entries: readonly Entry[]): void {
  const places = new Set<string>()
  let last = ''
  for (const entry of entries) {
    if (entry.type === 'branch') last = entry.to?.id ?? ''
    if (entry.type !== 'message') continue
    const place = `${last}/${entry.hostHash}`
    expect(places, 'an entry is stored once').not.toContain(place)
    places.add(place)
    last = entry.id
  }
}

test('any interleaving of append, edit, delete, branch, restart and replayed lists gives a valid request of the host’s own objects', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 40, size: 'max' }), async (steps) => {
      const host = createHost()
      let mirror = open([])
      host.say(5)
      for (const each of steps) {
        switch (each.kind) {
          case 'say':
            host.say(each.words)
            break
          case 'use-tool':
            host.useTool(each.words)
            break
          case 'edit':
          case 'branch':
          case 'delete':
            host[each.kind](each.where)
            break
          case 'take-back':
            host.takeBack(each.where)
            break
          case 'restart':
            await mirror.settled()
            mirror = open(JSON.parse(JSON.stringify(mirror.entries())) as Entry[])
            break
          case 'return':
          case 'clone':
            host[each.kind]()
            break
          case 'compact':
          case 'undo':
            await mirror[each.kind]().catch(() => undefined)
            break
          case 'replay':
            break
          default:
            each satisfies never
        }
        const list = host.list()
        const sent = await mirror.sync(list)
        check(sent, list, mirror)
        const entries = mirror.entries().length
        // A summary that was made beside the conversation is put in place between two requests.
        await mirror.settled()
        const again = await mirror.sync(list)
        check(again, list, mirror)
        await mirror.settled()
        expect(await mirror.sync(list)).toEqual(await mirror.sync(list))
        for (const { type } of mirror.entries().slice(entries))
          expect(type, 'a replayed list stores no message').not.toBe('message')
      }
      checkLog(mirror.entries())
      for (const { type } of mirror.entries()) seen.add(type)
    }),
    { numRuns: 150, interruptAfterTimeLimit: 25_000, markInterruptAsFailure: false },
  )
  expect([...seen]).toEqual(expect.arrayContaining(['message', 'branch', 'compaction']))
})
