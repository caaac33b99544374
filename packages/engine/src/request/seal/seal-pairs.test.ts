import { describe, expect, it } from 'vitest'
import { assistant, call, result, text, tool, user } from '../../testing/build-conversation.ts'
import type { Message } from '../../transcript/message.ts'
import type { Draft } from './draft.ts'
import { NO_RESULT, sealPairs } from './seal-pairs.ts'
import type { Repair } from './sealed-request.ts'

const draft = (message: Message): Draft => ({ ...message, kind: message.role, place: 'message' })

function seal(...messages: readonly Message[]) {
  const repairs: Repair[] = []
  const drafts = messages.map(draft)
  return { drafts, sealed: sealPairs(drafts, repairs), repairs }
}

/** `assistant(a b) tool(a=done b=done)` */
function show(messages: readonly Message[]): string {
  return messages
    .map(({ role, parts }) => {
      const words = parts.map((part) => {
        if (part.type === 'tool-call') return part.toolCallId
        if (part.type === 'tool-result')
          return `${part.toolCallId}=${part.output === NO_RESULT ? 'none' : String(part.output)}`
        return 'text' in part ? part.text : part.type
      })
      return `${role}(${words.join(' ')})`
    })
    .join(' ')
}

const sealed = (...messages: readonly Message[]): string => show(seal(...messages).sealed)

describe('MICRO-05 results stand right behind their call', () => {
  it.each([
    ['in order already', [assistant(call('a')), tool(result('a', 'A'))], 'assistant(a) tool(a=A)'],
    [
      'parallel, in any order and any number of messages',
      [assistant(call('a'), call('b'), call('c')), tool(result('c', 'C')), tool(result('a', 'A'), result('b', 'B'))],
      'assistant(a b c) tool(a=A b=B c=C)',
    ],
    [
      'a user message between call and result',
      [assistant(call('a')), user('hurry'), tool(result('a', 'A'))],
      'assistant(a) tool(a=A) user(hurry)',
    ],
    [
      'a late result after another answer',
      [assistant(call('a')), user('hello?'), assistant('still here'), tool(result('a', 'A'))],
      'assistant(a) tool(a=A) user(hello?) assistant(still here)',
    ],
    ['missing: named as such', [assistant(call('a')), user('go on')], 'assistant(a) tool(a=none) user(go on)'],
    [
      'only the missing sibling is added',
      [assistant(call('a'), call('b')), tool(result('b', 'B'))],
      'assistant(a b) tool(a=none b=B)',
    ],
    [
      'twice: the first one counts',
      [assistant(call('a')), tool(result('a', 'A'), result('a', 'again'))],
      'assistant(a) tool(a=A)',
    ],
    ['without a call: left out', [user('hi'), tool(result('x', 'X')), assistant('ho')], 'user(hi) assistant(ho)'],
    ['before its call: not its answer', [tool(result('a', 'A')), assistant(call('a'))], 'assistant(a) tool(a=none)'],
  ] as const)('%s', (_name, messages, expected) => {
    expect(sealed(...messages)).toBe(expected)
  })

  it('pairs by occurrence where an id is used again, and makes ids unique', () => {
    const turns = [assistant(call('a')), tool(result('a', 'one')), assistant(call('a')), tool(result('a', 'two'))]
    expect(sealed(...turns)).toBe('assistant(a) tool(a=one) assistant(a-2) tool(a-2=two)')
    expect(sealed(assistant(call('a'), call('a')), tool(result('a', 'one'), result('a', 'two')))).toBe(
      'assistant(a a-2) tool(a=one a-2=two)',
    )
    expect(sealed(assistant(call('a')), assistant(call('a-2')), assistant(call('a')))).toBe(
      'assistant(a) tool(a=none) assistant(a-2) tool(a-2=none) assistant(a-3) tool(a-3=none)',
    )
  })
})

describe('ids and names', () => {
  it.each([
    ['', 'call'],
    ['call_1|fc_2', 'call_1_fc_2'],
    ['functions.read:0', 'functions_read_0'],
    ['\ud83d', '_'],
    ['x'.repeat(500), 'x'.repeat(60)],
  ])('an id that no other provider takes is made one: %j', (id, expected) => {
    const messages = seal(assistant(call(id)), tool(result(id))).sealed
    expect(
      messages.map(({ parts: [part] }) => (part !== undefined && 'toolCallId' in part ? part.toolCallId : null)),
    ).toEqual([expected, expected])
  })

  it('two ids that become one are told apart', () => {
    expect(sealed(assistant(call('a.b'), call('a|b')), tool(result('a|b', '2'), result('a.b', '1')))).toBe(
      'assistant(a_b a_b-2) tool(a_b=1 a_b-2=2)',
    )
  })

  it.each([
    ['read file!', 'read_file_'],
    ['', 'unknown'],
    ['naïve', 'na_ve'],
    ['mcp__server__tool-1', 'mcp__server__tool-1'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('a tool name that providers refuse is made one they take: %j', (name, expected) => {
    const messages = seal(assistant(call('a', name)), tool(result('a', 'done', { toolName: 'other' }))).sealed
    expect(
      messages.map(({ parts: [part] }) => (part !== undefined && 'toolName' in part ? part.toolName : null)),
    ).toEqual([expected, expected])
  })
})

describe('what is in order', () => {
  it('keeps its very parts, so that nothing is measured twice', () => {
    const {
      drafts,
      sealed: same,
      repairs,
    } = seal(user('hi'), assistant(call('a')), tool(result('a')), assistant('done'))
    expect(same.map(({ parts }) => parts)).toEqual(drafts.map(({ parts }) => parts))
    same.forEach(({ parts }, index) => expect(parts).toBe(drafts[index]?.parts))
    expect(repairs).toEqual([])
  })

  it('keeps the other parts of a message that holds calls', () => {
    expect(
      sealed(assistant('I look', call('a'), text('and'), call('b')), tool(result('b', 'B'), result('a', 'A'))),
    ).toBe('assistant(I look a and b) tool(a=A b=B)')
  })
})

it('says what it repaired', () => {
  expect(seal(assistant(call('a', 'bash'))).repairs).toEqual([{ kind: 'result-added', detail: 'bash' }])
  expect(seal(tool(result('x')), tool(result('y'))).repairs).toEqual([
    { kind: 'results-dropped', detail: '2 without a call' },
  ])
})
