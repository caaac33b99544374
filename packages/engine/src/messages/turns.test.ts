import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryMessages } from '../testing/arbitrary-conversation.ts'
import { assistant, call, result, tool, user } from '../testing/build-conversation.ts'
import {
  countAssistantTurnsAfter,
  findFirstUserMessage,
  findLastAssistantTurns,
  findNewestUserMessage,
} from './turns.ts'

const conversation = [
  user('one'), // 0
  assistant(call('a')), // 1
  tool(result('a')), // 2
  assistant('answer'), // 3
  user('two'), // 4
  user('and this'), // 5
  assistant(call('b'), call('c')), // 6
  tool(result('b')), // 7
  tool(result('c')), // 8
  assistant('answer'), // 9
  user('three'), // 10
]

describe('findFirstUserMessage and findNewestUserMessage', () => {
  it('find them, or answer -1', () => {
    expect([findFirstUserMessage(conversation), findNewestUserMessage(conversation)]).toStrictEqual([0, 10])
    const unasked = [assistant('hi'), tool(result('a'))]
    expect([findFirstUserMessage(unasked), findNewestUserMessage(unasked)]).toStrictEqual([-1, -1])
    expect([findFirstUserMessage([]), findNewestUserMessage([])]).toStrictEqual([-1, -1])
  })
})

describe('findLastAssistantTurns', () => {
  it.each([
    [0, 10],
    [1, 9],
    [2, 4],
    [3, 3],
    [4, 0],
    [5, 0],
    [100, 0],
  ])('SPEC-04 lets the last %i turns begin at %i', (count, start) => {
    expect(findLastAssistantTurns(conversation, count)).toBe(start)
  })

  it('begins at the end of an empty conversation', () => {
    expect(findLastAssistantTurns([], 3)).toBe(0)
  })

  it('holds exactly as many assistant messages as asked for, if there are that many', () => {
    fc.assert(
      fc.property(arbitraryMessages(), fc.nat({ max: 12 }), (messages, count) => {
        const start = findLastAssistantTurns(messages, count)
        const total = messages.filter(({ role }) => role === 'assistant').length
        const held = messages.slice(start).filter(({ role }) => role === 'assistant').length
        expect(held).toBe(Math.min(count, total))
        expect(start > 0 && messages[start - 1]?.role === 'user').toBe(false)
      }),
    )
  })
})

describe('countAssistantTurnsAfter', () => {
  it('SPEC-02 counts the age of each message in assistant turns', () => {
    expect(countAssistantTurnsAfter(conversation)).toStrictEqual([4, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0])
    expect(countAssistantTurnsAfter([])).toStrictEqual([])
  })
})
