import { describe, expect, it } from 'vitest'
import { hostCodec } from '../testing/host-chat.ts'
import type { HostMessage } from '../testing/host-chat.ts'
import type { Entry } from '../transcript/entry.ts'
import { createMirror } from './create-mirror.ts'
import type { Mirror } from './create-mirror.ts'

const talk = 'The soil is dry and wants some water. '.repeat(40)
const ask = async (): Promise<string> => '<summary>\n+ Goal: plant every bed before the frost comes\n</summary>'

function open(entries: readonly Entry[] = []): Mirror<HostMessage> {
  return createMirror({ windowTokens: 16_000, ask, codec: hostCodec, entries })
}

function createHistory(turns: number): readonly HostMessage[] {
  return Array.from({ length: turns }, (_, turn): readonly HostMessage[] => [
    { from: 'me', body: `Bed ${turn}: ${talk}` },
    { from: 'bot', body: 'Noted.', signature: `s${turn}` },
  ]).flat()
}

describe('a host that hands over only the end of a long history', () => {
  /** Every call has new objects, as from a host's own database. */
  async function hold(mirror: Mirror<HostMessage>, from: number, to: number): Promise<readonly HostMessage[]> {
    let sent: readonly HostMessage[] = []
    for (let length = from; length <= to; length += 1) {
      const list = createHistory(length).slice(-31, -1)
      sent = await mirror.sync(list, { isTail: true })
      await mirror.settled()
      for (const message of sent)
        if (message.isWritten === undefined && !String(message.body).startsWith('Here is'))
          expect(list).toContain(message)
    }
    return sent
  }

  it('stores every message once, and keeps the summary of what the host no longer has', async () => {
    const mirror = open()
    const sent = await hold(mirror, 1, 60)
    const types = mirror.entries().map(({ type }) => type)
    expect(types.filter((type) => type === 'message')).toHaveLength(119)
    expect(types).not.toContain('branch')
    expect(types.filter((type) => type === 'compaction').length).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify(sent[0])).toContain('plant every bed')
  })

  it('goes on in the same way after a restart', async () => {
    const first = open()
    const before = await hold(first, 1, 45)
    const second = open(first.entries())
    expect(await second.sync(createHistory(45).slice(-31, -1), { isTail: true })).toEqual(before)
    expect(second.entries()).toHaveLength(first.entries().length)
  })

  it('is another history where nothing of it is known', async () => {
    const mirror = open()
    await hold(mirror, 1, 20)
    const list: readonly HostMessage[] = [{ from: 'me', body: 'Something else.' }]
    expect(await mirror.sync(list, { isTail: true })).toEqual(list)
  })
})

describe('a host that puts messages of its own behind the list', () => {
  it('gets a list that leaves room for them, for that call alone', async () => {
    const mirror = open()
    const list = createHistory(24)
    const sent = await mirror.sync(list)
    expect(sent).toHaveLength(list.length)
    const smaller = await mirror.sync(list, { appendedTokens: 8_000 })
    expect(smaller.length).toBeLessThan(list.length)
    expect(mirror.lastRequest()?.tokens).toBeLessThan(16_000 - 8_000)
  })

  it('still gets a list where they alone fill the window', async () => {
    const mirror = open()
    expect((await mirror.sync(createHistory(24), { appendedTokens: 100_000 })).length).toBeGreaterThan(0)
  })
})

it('reasoning that the host drops from older answers makes no branch', async () => {
  const codec = {
    ...hostCodec,
    read: (message: HostMessage) => {
      const read = hostCodec.read(message)
      const parts = message.signature === undefined ? [] : [{ type: 'reasoning', text: message.signature } as const]
      return read === null ? null : { ...read, parts: [...parts, ...read.parts] }
    },
  }
  const mirror = createMirror({ windowTokens: 16_000, ask, codec })
  const list = createHistory(2)
  await mirror.sync(list)
  await mirror.sync([...list.map(({ from, body }) => ({ from, body })), { from: 'me', body: 'And now?' }])
  expect(mirror.entries().map(({ type }) => type)).not.toContain('branch')
})
