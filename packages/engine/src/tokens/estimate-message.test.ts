import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryMessages } from '../testing/arbitrary-conversation.ts'
import { assistant, call, file, image, reasoning, result, text, tool, user } from '../testing/build-conversation.ts'
import type { Message, Part, TextPart } from '../transcript/message.ts'
import { countFrames, estimateField, estimateMessage } from './estimate-message.ts'

describe('estimateMessage, plain', () => {
  it.each<[string, Message, number]>([
    ['no parts', user(), 0],
    ['empty text', user(''), 0],
    ['one character', user('a'), 1],
    ['four characters', user('abcd'), 1],
    ['seven characters', user('abcdefg'), 1],
    ['eight characters', user('abcdefgh'), 2],
    ['two short texts', user('a', 'b'), 2],
    ['4,003 characters', user('x'.repeat(4_003)), 1_000],
    ['an emoji, which is two', user('😀😀😀😀'), 2],
    ['reasoning and text', assistant(reasoning('x'.repeat(40)), 'x'.repeat(20)), 10 + 5],
    ['a call: its name and its input', assistant(call('a', 'read_file', { path: 'a.ts' })), 2 + 3],
    ['a call without input, {}', assistant(call('a', 'ls')), 1 + 1],
    ['a result', tool(result('a', 'x'.repeat(100))), 25],
    ['an empty result', tool(result('a', '')), 0],
    ['a result in parts', tool(result('a', [text('x'.repeat(8)), text('y')])), 2 + 1],
    ['parallel results', tool(result('a', 'x'.repeat(8)), result('b', 'x'.repeat(8))), 4],
  ])('ONE-05 MICRO-01 counts floor(characters / 4), at least 1 a field: %s', (_, message, tokens) => {
    expect(estimateMessage(message, 'plain')).toBe(tokens)
  })

  it('ONE-05 counts the same in every conversation', () => {
    fc.assert(
      fc.property(arbitraryMessages(), (messages) => {
        for (const message of messages) {
          const fields = message.parts.flatMap(textFields)
          if (message.parts.some(hasMedia)) continue
          const tokens = fields.map((field) => (field === '' ? 0 : Math.max(1, Math.floor(field.length / 4))))
          expect(estimateMessage(message, 'plain')).toBe(tokens.reduce((sum, count) => sum + count, 0))
        }
      }),
    )
  })
})

describe('estimateMessage, images and files', () => {
  it.each<[string, Part, number]>([
    ['an image of unknown size', image(), 1_600],
    ['a small image', image({ width: 150, height: 100 }), 20],
    ['an image of a million pixels', image({ width: 1_000, height: 1_000 }), 1_334],
    ['a huge image, which providers scale down', image({ width: 8_000, height: 8_000 }), 1_600],
    ['an image of no size', image({ width: 0, height: 0 }), 1],
    ['half a size', image({ width: 100 }), 1_600],
    ['a document', file('a.pdf', 'x'.repeat(1_600)), 100],
    ['an empty document', file('a.pdf', ''), 1],
    ['an image sent as a file', file('a.png', 'x', 'image/png'), 1_600],
  ])('charges %s', (_, part, tokens) => {
    expect(estimateMessage({ role: 'user', parts: [part] }, 'plain')).toBe(tokens)
  })

  it('charges images inside results', () => {
    expect(estimateMessage(tool(result('a', [text('abcd'), image()])), 'plain')).toBe(1_601)
  })
})

describe('estimateMessage, classes', () => {
  it('LH-01 knows that CJK takes more than a quarter of a token a character', () => {
    const message = user('漢字仮名交じり文。'.repeat(100))
    expect(estimateMessage(message, 'plain')).toBe(225)
    expect(estimateMessage(message, 'classes')).toBeGreaterThan(450)
  })

  it('adds what roles and tool traffic cost on the wire', () => {
    expect(estimateMessage(user(), 'classes')).toBe(4)
    expect(estimateMessage(tool(result('a', '')), 'classes')).toBe(4 + 8)
    expect(estimateMessage(user('hello there'), 'classes')).toBe(4 + estimateField('hello there', 'classes'))
  })

  it('is a whole number, never negative, for every conversation', () => {
    fc.assert(
      fc.property(arbitraryMessages(), (messages) => {
        for (const message of messages) {
          const tokens = estimateMessage(message, 'classes')
          expect(Number.isSafeInteger(tokens) && tokens >= 4).toBe(true)
        }
      }),
    )
  })
})

describe('estimateMessage, memory', () => {
  it('answers the same for the same object and for an equal one, and keeps the estimators apart', () => {
    fc.assert(
      fc.property(arbitraryMessages(), (messages) => {
        for (const message of messages) {
          const first = [estimateMessage(message, 'plain'), estimateMessage(message, 'classes')]
          const again = [estimateMessage(message, 'plain'), estimateMessage(message, 'classes')]
          const copy = structuredClone(message)
          expect(again).toStrictEqual(first)
          expect([estimateMessage(copy, 'plain'), estimateMessage(copy, 'classes')]).toStrictEqual(first)
        }
      }),
    )
  })

  it('ONE-06 reads a message once, however often it is measured', () => {
    let reads = 0
    const counted: TextPart = {
      type: 'text',
      get text() {
        reads += 1
        return 'a text that is measured again and again'
      },
    }
    const message: Message = { role: 'user', parts: [counted] }
    const first = estimateMessage(message, 'classes')
    const readsOnce = reads
    expect(Array.from({ length: 10 }, () => estimateMessage(message, 'classes'))).toEqual(Array(10).fill(first))
    expect(reads).toBe(readsOnce)
  })
})

describe('estimateField', () => {
  it('counts nothing as nothing', () => {
    expect([estimateField('', 'plain'), estimateField('', 'classes')]).toStrictEqual([0, 0])
    expect([estimateField('a', 'plain'), estimateField('a', 'classes')]).toStrictEqual([1, 1])
  })
})

function textFields(part: Part): readonly string[] {
  if (part.type === 'text' || part.type === 'reasoning') return [part.text]
  if (part.type === 'tool-call') return [part.toolName, JSON.stringify(part.input)]
  if (part.type !== 'tool-result') return []
  return typeof part.output === 'string' ? [part.output] : part.output.flatMap(textFields)
}

function hasMedia(part: Part): boolean {
  if (part.type === 'tool-result') return typeof part.output !== 'string' && part.output.some(hasMedia)
  return part.type === 'image' || part.type === 'file'
}

describe('countFrames', () => {
  it.each<[string, Message, number]>([
    ['text and results', tool(result('a', 'done')), 0],
    ['a call without arguments', assistant('I look.', call('a', 'ls')), 1],
    ['a call with three', assistant(call('a', 'read', { path: 'a.ts', offset: 1, limit: { lines: 20 } })), 4],
    ['two calls', assistant(call('a', 'ls', { path: '.' }), call('b', 'ls', { path: 'src' })), 4],
  ])('LH-01 counts calls and their arguments: %s', (_, message, frames) => {
    expect(countFrames(message)).toBe(frames)
  })
})
