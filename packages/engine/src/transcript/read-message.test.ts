import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryJunk, arbitraryMessages, arbitraryRawPart } from '../testing/arbitrary-conversation.ts'
import { isRecord } from './json.ts'
import type { Part, Role, ToolCallPart, ToolResultPart } from './message.ts'
import { readOutput, readParts, readRole, readUsage } from './read-message.ts'

const ROLES: readonly Role[] = ['user', 'assistant', 'tool']

const HELD: Readonly<Record<Role, readonly Part['type'][]>> = {
  user: ['text', 'image', 'file'],
  assistant: ['text', 'image', 'file', 'reasoning', 'tool-call'],
  tool: ['text', 'image', 'file', 'tool-result'],
}

describe('readParts', () => {
  it('gives valid parts back as the same list', () => {
    fc.assert(
      fc.property(arbitraryMessages(), (messages) => {
        for (const { role, parts } of messages) expect(readParts(parts, role)).toBe(parts)
      }),
    )
  })

  it('never throws, answers only what the role can hold, and changes nothing the second time', () => {
    const raw = fc.oneof(arbitraryJunk(), fc.array(arbitraryRawPart(), { maxLength: 6 }))
    fc.assert(
      fc.property(raw, fc.constantFrom(...ROLES), (value, role) => {
        const parts = readParts(value, role)
        expect(parts.filter((part) => !isValid(part, role))).toStrictEqual([])
        expect(readParts(parts, role)).toBe(parts)
      }),
      { numRuns: 500 },
    )
  })

  it.each<[string, unknown, readonly Part[]]>([
    ['null', null, []],
    ['undefined', undefined, []],
    ['an empty string', '', []],
    ['an empty list', [], []],
    ['a string', 'hello', [{ type: 'text', text: 'hello' }]],
    ['a number', 42, [{ type: 'text', text: '42' }]],
    ['one part without a list', { type: 'text', text: 'hi' }, [{ type: 'text', text: 'hi' }]],
    ['strings in the list', ['a', '', 'b'], [text('a'), text('b')]],
    ['nothing in the list', [null, undefined, text('a')], [text('a')]],
    ['a number in the list', [7], [text('7')]],
    ['a list in the list', [['a']], [text('["a"]')]],
    ['text that is null', [{ type: 'text', text: null }], [text('')]],
    ['text that is an object', [{ type: 'text', text: { a: 1 } }], [text('{"a":1}')]],
    ['a part of another vendor', [{ type: 'refusal', refusal: 'no' }], [text('{"type":"refusal","refusal":"no"}')]],
    ['an image without one', [{ type: 'image', image: 5 }], [text('{"type":"image","image":5}')]],
    [
      'an image with a wrong size',
      [{ type: 'image', image: 'aGk=', width: -1, height: 20 }],
      [{ type: 'image', image: 'aGk=', height: 20 }],
    ],
    [
      'a file without a type',
      [{ type: 'file', data: 'aGk=', filename: 7 }],
      [{ type: 'file', data: 'aGk=', mediaType: 'application/octet-stream' }],
    ],
  ])('reads %s', (_, value, parts) => {
    expect(readParts(value, 'user')).toStrictEqual(parts)
  })

  it('keeps what a role cannot hold as readable text', () => {
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'x.ts' } }
    const result = { type: 'tool-result', toolCallId: 'a', toolName: 'read', output: 'found' }
    const thought = { type: 'reasoning', text: 'I wonder' }
    expect(readParts([call, result, thought], 'user').map(textIn)).toStrictEqual([
      JSON.stringify(call),
      JSON.stringify(result),
      JSON.stringify(thought),
    ])
    expect(readParts([result], 'assistant').map(textIn)).toStrictEqual([JSON.stringify(result)])
    expect(readParts([call], 'tool').map(textIn)).toStrictEqual([JSON.stringify(call)])
  })

  it('carries what the provider wants back, and drops it where it is not an object', () => {
    const signed = [{ type: 'reasoning', text: '', providerOptions: { anthropic: { signature: 'c2ln' } } }]
    expect(readParts(signed, 'assistant')).toBe(signed)
    expect(readParts([{ type: 'text', text: 'a', providerOptions: 'x' }], 'user')).toStrictEqual([text('a')])
  })
})

describe('readParts: fields of a newer version', () => {
  it('OPEN-01 keeps them, also in a part that needs repair', () => {
    const parts = [{ type: 'text', text: 'a', citations: [{ page: 1 }] }]
    expect(readParts(parts, 'user')).toBe(parts)
    const damaged = { type: 'tool-call', toolCallId: 7, toolName: 'read', input: {}, caller: { kind: 'code' } }
    const [repaired] = readParts([damaged], 'assistant')
    expect(repaired).toStrictEqual({ ...damaged, toolCallId: '7' })
    expect(readParts([repaired], 'assistant')[0]).toBe(repaired)
  })

  it('drops what is known and wrong', () => {
    const damaged = {
      type: 'tool-result',
      toolCallId: 'a',
      toolName: 'read',
      output: 'x',
      isError: 'yes',
      artifactId: 5,
    }
    expect(readParts([damaged], 'tool')).toStrictEqual([
      { type: 'tool-result', toolCallId: 'a', toolName: 'read', output: 'x' },
    ])
  })
})

describe('readParts: tool calls', () => {
  it.each<[string, unknown, unknown]>([
    ['an object', { path: 'a' }, { path: 'a' }],
    ['nothing', undefined, {}],
    ['null', null, {}],
    ['an empty string', '', {}],
    ['an object as JSON', '{"path":"a.ts"}', { path: 'a.ts' }],
    ['JSON cut off mid-stream', '{"path":"a.t', { value: '{"path":"a.t' }],
    ['JSON that is no object', '[1,2]', { value: '[1,2]' }],
    ['a list', [1, 2], { value: [1, 2] }],
    ['a number', 5, { value: 5 }],
    ['false', false, { value: false }],
    ['values JSON does not have', { a: Number.NaN, b: undefined, c: 1n }, { a: null, c: '1' }],
  ])('reads arguments that are %s', (_, input, expected) => {
    const [part] = readParts([{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input }], 'assistant')
    expect(part).toStrictEqual({ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: expected })
  })

  it.each<[unknown, string]>([
    ['call_1', 'call_1'],
    [' call_1\n', 'call_1'],
    [17, '17'],
    [null, ''],
    [{ id: 1 }, ''],
  ])('reads the id %j as %j, in calls and in results', (toolCallId, expected) => {
    const [call] = readParts([{ type: 'tool-call', toolCallId, toolName: 'read', input: {} }], 'assistant')
    const [result] = readParts([{ type: 'tool-result', toolCallId, toolName: 'read', output: '' }], 'tool')
    expect(call).toMatchObject({ toolCallId: expected })
    expect(result).toMatchObject({ toolCallId: expected })
  })

  it.each<[unknown]>([[''], ['  '], [undefined], [null], [3]])('fills in the tool name %j', (toolName) => {
    const [part] = readParts([{ type: 'tool-call', toolCallId: 'a', toolName, input: {} }], 'assistant')
    expect(part).toMatchObject({ toolName: 'unknown' })
  })
})

describe('readOutput', () => {
  it('gives valid output back as the same value', () => {
    const output = [{ type: 'text', text: 'found' }]
    expect(readOutput(output)).toBe(output)
    expect(readOutput('found')).toBe('found')
  })

  it.each<[unknown, unknown]>([
    [null, ''],
    [undefined, ''],
    [3, '3'],
    [{ ok: true }, '{"ok":true}'],
    [
      [null, 'a', 5],
      [text('a'), text('5')],
    ],
    [[{ type: 'reasoning', text: 'hm' }], [text('{"type":"reasoning","text":"hm"}')]],
  ])('reads %j', (value, output) => {
    expect(readOutput(value)).toStrictEqual(output)
  })
})

describe('readUsage', () => {
  it('gives valid usage back as the same object', () => {
    const usage = { input: 10, output: 2, cacheRead: 5, cacheWrite: 0, reasoning: 1, costUsd: 0.25 }
    expect(readUsage(usage)).toBe(usage)
  })

  it.each<[unknown, unknown]>([
    [null, undefined],
    ['10', undefined],
    [{}, undefined],
    [{ input: '10', output: Number.NaN }, undefined],
    [{ input: 10 }, { input: 10, output: 0 }],
    [{ output: 3 }, { input: 0, output: 3 }],
    [
      { input: 10, output: -1 },
      { input: 10, output: 0 },
    ],
    [
      { input: 10, output: 1, cacheRead: Number.POSITIVE_INFINITY },
      { input: 10, output: 1 },
    ],
    [
      { input: 10, output: 1, totalTokens: 11 },
      { input: 10, output: 1 },
    ],
    [
      { input: 1, output: 2, extra: undefined },
      { input: 1, output: 2 },
    ],
  ])('reads %j as %j', (value, usage) => {
    expect(readUsage(value)).toStrictEqual(usage)
  })

  it('never leaves out a number that sums rest on', () => {
    const count = fc.oneof(fc.nat(), fc.anything())
    const raw = fc.record({ input: count, output: count, reasoning: count, extra: count }, { requiredKeys: [] })
    fc.assert(
      fc.property(fc.oneof(raw, arbitraryJunk()), (value) => {
        const usage = readUsage(value)
        if (usage === undefined) return
        for (const tokens of Object.values(usage)) expect(tokens).toBeGreaterThanOrEqual(0)
        expect(Number.isFinite(usage.input + usage.output)).toBe(true)
        expect(readUsage(usage)).toBe(usage)
      }),
    )
  })
})

describe('readRole', () => {
  it('takes everything unknown for the user', () => {
    expect(ROLES.map(readRole)).toStrictEqual(ROLES)
    expect(['system', 'toolResult', null, 1].map(readRole)).toStrictEqual(['user', 'user', 'user', 'user'])
  })
})

function text(words: string): Part {
  return { type: 'text', text: words }
}

function textIn(part: Part): string | null {
  return part.type === 'text' ? part.text : null
}

function isValid(part: Part, role: Role): boolean {
  if (!HELD[role].includes(part.type)) return false
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return typeof part.text === 'string'
    case 'image':
      return typeof part.image === 'string'
    case 'file':
      return typeof part.data === 'string' && typeof part.mediaType === 'string'
    case 'tool-call':
      return isNamed(part) && isRecord(part.input)
    case 'tool-result':
      return (
        isNamed(part) && (typeof part.output === 'string' || part.output.every((content) => isValid(content, 'user')))
      )
    default:
      return part satisfies never
  }
}

function isNamed({ toolCallId, toolName }: ToolCallPart | ToolResultPart): boolean {
  return typeof toolCallId === 'string' && toolName.trim() !== ''
}
