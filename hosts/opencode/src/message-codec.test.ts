import { describe, expect, it } from 'vitest'
import type { Part } from '@longhaul/engine'
import { createMessageCodec, isAdded } from './message-codec.ts'
import type { Item, ItemPart } from './opencode-api.ts'
import { joinUnits, splitItems } from './split-items.ts'
import type { Unit } from './split-items.ts'

const codec = createMessageCodec('ses_1')
const IMAGE = 'data:image/png;base64,iVBORw0KGgo='

/** As opencode 1.18.33 stores them. */
function say(...parts: readonly ItemPart[]): Item {
  const model = { providerID: 'fake', modelID: 'fake-model' }
  return { info: { id: 'msg_1', sessionID: 'ses_1', role: 'user', time: { created: 1 }, model }, parts: number(parts) }
}

function answer(parts: readonly ItemPart[], info: Partial<Item['info']> = {}): Item {
  const tokens = { input: 5, output: 2, reasoning: 0, cache: { read: 0, write: 0 } }
  const own = {
    role: 'assistant',
    time: { created: 2, completed: 3 },
    providerID: 'fake',
    modelID: 'fake-model',
  } as const
  return { info: { id: 'msg_2', sessionID: 'ses_1', ...own, finish: 'stop', tokens, ...info }, parts: number(parts) }
}

const number = (parts: readonly ItemPart[]): readonly ItemPart[] =>
  parts.map((part, index) => ({ id: `prt_${index}`, sessionID: 'ses_1', messageID: 'msg', ...part }))

const tool = (callID: string, state: object): ItemPart => ({
  type: 'tool',
  callID,
  tool: 'read',
  state: {
    title: 'notes',
    metadata: { preview: 'x' },
    time: { start: 1, end: 2 },
    input: { filePath: 'a.md' },
    ...state,
  },
  metadata: { openai: { itemId: 'fc_1' } },
})

const READING = answer([
  { type: 'step-start', snapshot: 'abc' },
  { type: 'reasoning', text: 'Let me see.', metadata: { anthropic: { signature: 'sig' } }, time: { start: 1 } },
  { type: 'text', text: 'I read two files.' },
  tool('c1', { status: 'completed', output: 'One.' }),
  tool('c2', { status: 'error', error: 'No such file.' }),
  { type: 'step-finish', reason: 'tool-calls', cost: 0 },
  { type: 'patch', hash: 'h', files: [] },
])

const readAll = (...items: readonly Item[]) => splitItems(items).map((unit) => codec.read(unit))

function shorten(unit: Unit | undefined, change: (part: Part) => Part): Unit {
  const read = unit === undefined ? null : codec.read(unit)
  if (unit === undefined || read === null) throw new Error('There is nothing to shorten.')
  return codec.write({ ...read, parts: read.parts.map(change) }, unit, { at: 7 })
}

describe('reading', () => {
  it('reads an answer and the results of its calls as two messages', () => {
    expect(readAll(READING)).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Let me see.' },
          { type: 'text', text: 'I read two files.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { filePath: 'a.md' } },
          { type: 'tool-call', toolCallId: 'c2', toolName: 'read', input: { filePath: 'a.md' } },
        ],
      },
      {
        role: 'tool',
        parts: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: 'One.' },
          { type: 'tool-result', toolCallId: 'c2', toolName: 'read', output: 'No such file.', isError: true },
        ],
      },
    ])
  })

  it('reads images, files and what a text file holds', () => {
    const [read] = readAll(
      say(
        { type: 'text', text: 'Look:' },
        { type: 'file', mime: 'image/png', url: IMAGE, filename: 'a.png' },
        { type: 'file', mime: 'application/pdf', url: 'data:application/pdf;base64,JVBE', filename: 'a.pdf' },
        { type: 'text', text: 'The text of a.txt', synthetic: true },
        { type: 'file', mime: 'text/plain', url: 'file:///a.txt', filename: 'a.txt' },
      ),
    )
    expect(read?.parts).toEqual([
      { type: 'text', text: 'Look:' },
      { type: 'image', image: IMAGE, mediaType: 'image/png' },
      { type: 'file', data: 'data:application/pdf;base64,JVBE', mediaType: 'application/pdf', filename: 'a.pdf' },
      { type: 'text', text: 'The text of a.txt' },
    ])
  })

  it('reads pictures in a result, a cleared result and an interrupted call as opencode sends them', () => {
    const file = { type: 'file', mime: 'image/png', url: IMAGE }
    const [, read] = readAll(
      answer([
        tool('c1', { status: 'completed', output: 'A picture.', attachments: [file] }),
        tool('c2', { status: 'completed', output: 'Long.', time: { start: 1, end: 2, compacted: 3 } }),
        tool('c3', { status: 'running' }),
        tool('c4', { status: 'error', error: 'Aborted', metadata: { interrupted: true, output: 'Half.' } }),
      ]),
    )
    expect(read?.parts.map((part) => (part.type === 'tool-result' ? part.output : null))).toEqual([
      [
        { type: 'text', text: 'A picture.' },
        { type: 'image', image: IMAGE, mediaType: 'image/png' },
      ],
      '[Old tool result content cleared]',
      '[Tool execution was interrupted]',
      'Half.',
    ])
  })

  it('leaves out what nobody said: failed answers, reminders, and the mark of a compaction', () => {
    const reminder = { type: 'text', synthetic: true, text: '<system-reminder>Plan only.</system-reminder>' }
    const isText = [{ type: 'text', text: 'Half an answer' }]
    expect(readAll(answer(isText, { error: { name: 'APIError' } }))).toEqual([null])
    expect(readAll(answer(isText, { error: { name: 'MessageAbortedError' } }))).not.toEqual([null])
    expect(readAll(say({ type: 'compaction', auto: true }))).toEqual([null])
    expect(readAll(say({ type: 'text', text: 'Go' }, reminder))).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'Go' }] },
    ])
  })
})

describe('writing', () => {
  it('gives opencode its own message where nothing was changed', () => {
    expect(joinUnits(splitItems([READING]))[0]).toBe(READING)
  })

  it('changes a shortened result alone', () => {
    const [call, results] = splitItems([READING])
    const shown = shorten(results, (part) =>
      part.type === 'tool-result' && part.toolCallId === 'c1' ? { ...part, output: 'O…' } : part,
    )
    const [joined] = joinUnits([call as Unit, shown])
    const [start, thought, text, first, second, ...rest] = READING.parts
    expect(joined?.info).toBe(READING.info)
    expect(joined?.parts).toEqual([
      start,
      thought,
      text,
      { ...first, state: { ...(first?.['state'] as object), output: 'O…', attachments: [] } },
      second,
      ...rest,
    ])
  })

  it('keeps signatures, marks and results where thoughts are left out', () => {
    const [call, results] = splitItems([READING])
    const read = codec.read(call as Unit)
    const parts = read?.parts.filter(({ type }) => type !== 'reasoning') ?? []
    const shown = codec.write({ role: 'assistant', parts }, call as Unit, { at: 7 })
    const [joined] = joinUnits([shown, results as Unit])
    expect(joined?.parts).toEqual(READING.parts.filter(({ type }) => type !== 'reasoning'))
  })

  it('writes a summary as a message of the same session, with the same bytes each time', () => {
    const write = () => codec.write({ role: 'user', parts: [{ type: 'text', text: 'Before: …' }] }, null, { at: 7 })
    const [item] = joinUnits([write()])
    expect(item).toEqual(write().item)
    expect(item?.info).toMatchObject({ sessionID: 'ses_1', role: 'user', time: { created: 7 } })
    expect(item?.parts).toMatchObject([{ type: 'text', text: 'Before: …', sessionID: 'ses_1' }])
    expect(item !== undefined && isAdded(item)).toBe(true)
    expect(isAdded(READING)).toBe(false)
  })

  it('puts a call and its result together that both had to be cut', () => {
    const list = splitItems([READING]).map((unit) => {
      const read = codec.read(unit)
      if (read === null) throw new Error('It can be read.')
      return codec.write(read, null, { at: 7 })
    })
    const [joined, ...others] = joinUnits(list)
    expect(others).toEqual([])
    expect(readAll(joined as Item)).toEqual(readAll(READING))
  })
})
