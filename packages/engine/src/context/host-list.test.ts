import { expect, it } from 'vitest'
import { hostCodec } from '../testing/host-chat.ts'
import type { HostMessage } from '../testing/host-chat.ts'
import { createHostList } from './host-list.ts'

function createCounted() {
  let reads = 0
  const known = createHostList<HostMessage>({
    ...hostCodec,
    read: (message) => {
      reads += 1
      return hostCodec.read(message)
    },
  })
  const read = (messages: readonly HostMessage[]): { readonly reads: number; readonly unchanged: number } => {
    reads = 0
    const unchanged = known.read(messages)
    return { reads, unchanged }
  }
  return { known, read }
}

const list = Array.from({ length: 20 }, (_, index): HostMessage => ({
  from: index === 0 ? 'setup' : 'me',
  body: `${index}`,
}))

it('a host that makes equal objects at each call has only its newest read again, and gets those objects back', () => {
  const { known, read } = createCounted()
  expect(read(list)).toEqual({ reads: 20, unchanged: 0 })
  const again = structuredClone(list)
  expect(read(again)).toEqual({ reads: 4, unchanged: 15 })
  known.list.forEach(({ host }, index) => expect(host).toBe(again[index]))
  known.said.forEach(({ host }, index) => expect(host).toBe(again[index + 1]))
})

it('an edited message is seen in equal objects as well, and those behind it are not read again', () => {
  const { known, read } = createCounted()
  read(list)
  const edited = structuredClone(list).with(5, { from: 'me', body: 'Something else.' })
  expect(read(edited)).toEqual({ reads: 5, unchanged: 4 })
  expect(known.said[4]?.said.parts).toEqual([{ type: 'text', text: 'Something else.' }])
})

it('messages that are no plain data are known by the data that the codec gives', () => {
  class Said {
    readonly text: string
    constructor(text: string) {
      this.text = text
    }
  }
  let reads = 0
  const known = createHostList<Said>({
    read({ text }) {
      reads += 1
      return { role: 'user', parts: [{ type: 'text', text }] }
    },
    write: () => new Said(''),
    dataOf: ({ text }) => text,
  })
  const messages = (): readonly Said[] => Array.from({ length: 20 }, (_, index) => new Said(`${index}`))
  known.read(messages())
  expect(known.read(messages())).toBe(16)
  expect(reads).toBe(24)
})
