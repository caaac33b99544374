import { expect, it } from 'vitest'
import type { Part } from '../transcript/message.ts'
import { keepOwnParts } from './keep-own-parts.ts'
import type { OwnPart } from './keep-own-parts.ts'

const thought: Part = { type: 'reasoning', text: 'Look first.' }
const said: Part = { type: 'text', text: 'I look.' }
const call: Part = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 'the bed' } }
const own = (read: Part | null, name: string): OwnPart<object> => ({ host: { name }, read })
const write = (part: Part, original: object | null): object => ({ ...original, part })

it('keeps the host’s own parts, and its marks where they stand, when another part is left out', () => {
  const parts = [own(thought, 'thought'), own(null, 'mark'), own(said, 'said'), own(call, 'call'), own(null, 'end')]
  const written = keepOwnParts(parts, [{ ...said, providerOptions: { a: {} } }, call], write)
  expect(written).toEqual([{ name: 'mark' }, { name: 'said' }, { name: 'call' }, { name: 'end' }])
  expect(written[1]).toBe(parts[2]?.host)
})

it('writes a changed part over the one with the same call, and a new one without an original', () => {
  const shorter: Part = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: {} }
  const note: Part = { type: 'text', text: 'A note.' }
  expect(keepOwnParts([own(said, 'said'), own(call, 'call')], [note, shorter], write)).toEqual([
    { part: note },
    { name: 'call', part: shorter },
  ])
})
