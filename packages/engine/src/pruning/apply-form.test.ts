import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outputText } from '../messages/render-text.ts'
import { arbitraryMessages } from '../testing/arbitrary-conversation.ts'
import { assistant, call, file, image, result, text, tool, user } from '../testing/build-conversation.ts'
import type { PruneForm } from '../transcript/entry.ts'
import type { Message, Part } from '../transcript/message.ts'
import { applyForms } from './apply-form.ts'

const TRIM: PruneForm = { form: 'soft-trimmed', headChars: 5, tailChars: 4, note: '[note]' }
const CLEAR: PruneForm = { form: 'cleared', placeholder: '[gone]' }
const on = (message: Message, form: PruneForm, part = 0) => applyForms(message, new Map([[part, form]]))

describe('results', () => {
  test('OPEN-07 soft-trimmed: head, dots, tail, note', () => {
    expect(on(tool(result('a', `${'h'.repeat(50)}${'t'.repeat(50)}`)), TRIM)).toEqual(
      tool(result('a', 'hhhhh\n...\ntttt\n\n[note]')),
    )
  })

  test('OPEN-07 cleared: the placeholder and nothing else', () => {
    expect(on(tool(result('a', 'x'.repeat(50))), CLEAR)).toEqual(tool(result('a', '[gone]')))
  })

  test('OPEN-06 what is not output stays: ids, name, failure, artifact, provider data', () => {
    const more = { toolName: 'bash', isError: true, artifactId: 'art', providerOptions: { p: { q: 1 } } }
    expect(on(tool(result('a', 'x'.repeat(50), more)), CLEAR)).toEqual(tool(result('a', '[gone]', more)))
  })

  test('OPEN-06 several text parts are cut as one text', () => {
    const output = [text('h'.repeat(50)), text('t'.repeat(50))]
    expect(on(tool(result('a', output)), TRIM)).toEqual(tool(result('a', 'hhhhh\n...\ntttt\n\n[note]')))
  })

  test('LH-03 never as long as what stands there', () => {
    for (const [length, form] of [
      [6, CLEAR],
      [22, TRIM],
      [9, TRIM],
      [0, CLEAR],
    ] as const) {
      const message = tool(result('a', 'x'.repeat(length)))
      expect(on(message, form)).toBe(message)
    }
    expect(on(tool(result('a', 'x'.repeat(7))), CLEAR)).toEqual(tool(result('a', '[gone]')))
    expect(on(tool(result('a', 'x'.repeat(23))), TRIM)).not.toEqual(tool(result('a', 'x'.repeat(23))))
  })

  test.each([image(), file()])('OPEN-06 a result with an $type is left alone', (media) => {
    const message = tool(result('a', [text('x'.repeat(100)), media]))
    expect(on(message, CLEAR)).toBe(message)
    expect(on(message, TRIM)).toBe(message)
  })

  test('OPEN-07 a pair is never split', () => {
    const cut = on(tool(result('a', '😀'.repeat(50))), TRIM)
    expect(cut).toEqual(tool(result('a', '😀😀\n...\n😀😀\n\n[note]')))
  })
})

describe('calls', () => {
  test('OPEN-06 long strings are shortened at any depth, the rest of the input stays', () => {
    const long = `${'h'.repeat(50)}${'t'.repeat(50)}`
    const short = 'hhhhh\n...\ntttt\n\n[note]'
    const input = { path: 'a.ts', content: long, edits: [{ old: long, line: 3 }, null, true], n: 1.5 }
    expect(on(assistant('text', call('a', 'write', input)), TRIM, 1)).toEqual(
      assistant(
        'text',
        call('a', 'write', { path: 'a.ts', content: short, edits: [{ old: short, line: 3 }, null, true], n: 1.5 }),
      ),
    )
  })

  test('OPEN-06 a key called __proto__ is a key like any other', () => {
    const input = JSON.parse(`{"__proto__": "${'x'.repeat(100)}"}`)
    const [part] = on(assistant(call('a', 'write', input)), TRIM).parts
    expect(JSON.stringify(part)).toContain('"__proto__":"xxxxx\\n...')
  })

  test('OPEN-06 short strings leave the message itself, and so does clearing', () => {
    const message = assistant(call('a', 'write', { path: 'a.ts', content: 'short' }))
    expect(on(message, TRIM)).toBe(message)
    const long = assistant(call('a', 'write', { content: 'x'.repeat(100) }))
    expect(on(long, CLEAR)).toBe(long)
  })
})

test('OPEN-06 user and assistant texts are never touched, whatever a stored decision says', () => {
  for (const message of [user('x'.repeat(100)), assistant({ type: 'reasoning', text: 'x'.repeat(100) })]) {
    expect(on(message, TRIM)).toBe(message)
    expect(on(message, CLEAR)).toBe(message)
  }
})

test('LH-03 decisions on parts that are not there, and none at all, change nothing', () => {
  const message = tool(result('a', 'x'.repeat(50)))
  expect(on(message, CLEAR, 7)).toBe(message)
  expect(applyForms(message, null)).toBe(message)
  expect(applyForms(message, new Map())).toBe(message)
})

function sizeOf(part: Part | undefined): number {
  return part?.type === 'tool-result' ? outputText(part.output).length : JSON.stringify(part).length
}

/** `JSON.stringify` writes half a pair as an escape. */
const hasHalfPair = (value: unknown) => /\\ud[89a-f]/.test(JSON.stringify(value))

test('LH-03 any message, any form: never longer, pairs whole, valid JSON, only tool parts touched', () => {
  const forms = fc.oneof(
    fc.record({ form: fc.constant('cleared' as const), placeholder: fc.lorem({ maxCount: 3 }) }),
    fc.record({
      form: fc.constant('soft-trimmed' as const),
      headChars: fc.nat({ max: 30 }),
      tailChars: fc.nat({ max: 30 }),
      note: fc.lorem({ maxCount: 3 }),
    }),
  )
  fc.assert(
    fc.property(arbitraryMessages(4), forms, (messages, form) => {
      const before = structuredClone(messages)
      for (const message of messages) {
        const applied = applyForms(message, new Map(message.parts.map((_, index) => [index, form])))
        applied.parts.forEach((part, index) => {
          const original = message.parts[index]
          if (part === original) return
          expect(['tool-call', 'tool-result']).toContain(part.type)
          expect(sizeOf(part)).toBeLessThan(sizeOf(original))
          expect(hasHalfPair(part) && !hasHalfPair(original)).toBe(false)
          expect(JSON.parse(JSON.stringify(part))).toEqual(part)
        })
      }
      expect(messages).toEqual(before)
    }),
  )
})
