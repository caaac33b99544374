import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryMessages } from '../testing/arbitrary-conversation.ts'
import { assistant, call, result, tool, user } from '../testing/build-conversation.ts'
import type { Message } from '../transcript/message.ts'
import { hasToolCall, pairTools } from './tool-pairs.ts'

/** `a 1>2`: the call with id a in message 1 is answered in message 2; `a 1>-` is not answered. */
function describePairs(...messages: readonly Message[]): readonly string[] {
  return pairTools(messages).map(
    ({ call: { toolCallId }, callMessage, answer }) => `${toolCallId} ${callMessage}>${answer?.message ?? '-'}`,
  )
}

describe('pairTools', () => {
  it('pairs parallel calls with results in one message', () => {
    expect(
      describePairs(user('go'), assistant(call('a'), call('b')), tool(result('a'), result('b')), assistant('done')),
    ).toStrictEqual(['a 1>2', 'b 1>2'])
  })

  it('pairs results that come in any order and in several messages', () => {
    expect(
      describePairs(
        assistant(call('a'), call('b'), call('c')),
        tool(result('c')),
        user('hurry'),
        tool(result('a')),
        tool(result('b')),
      ),
    ).toStrictEqual(['a 0>3', 'b 0>4', 'c 0>1'])
  })

  it('says where the result stands', () => {
    const found = result('b', 'found')
    const [first, second] = pairTools([assistant(call('a'), call('b')), tool(result('x'), found)])
    expect(first?.answer).toBeNull()
    expect(second).toStrictEqual({ call: call('b'), callMessage: 0, answer: { result: found, message: 1, part: 1 } })
    expect(second?.answer?.result).toBe(found)
  })

  it('pairs by occurrence when an id is used again in a later turn', () => {
    expect(
      describePairs(assistant(call('a')), tool(result('a')), user('again'), assistant(call('a')), tool(result('a'))),
    ).toStrictEqual(['a 0>1', 'a 3>4'])
  })

  it('leaves the first of two calls with one id unanswered when its result is missing', () => {
    expect(describePairs(assistant(call('a')), user('again'), assistant(call('a')), tool(result('a')))).toStrictEqual([
      'a 0>-',
      'a 2>3',
    ])
  })

  it('pairs a late result with the call that is still open', () => {
    expect(
      describePairs(assistant(call('a')), user('hello?'), assistant(call('b')), tool(result('b')), tool(result('a'))),
    ).toStrictEqual(['a 0>4', 'b 2>3'])
  })

  it('takes the first of two results and leaves the duplicate alone', () => {
    const messages = [assistant(call('a')), tool(result('a', 'one'), result('a', 'two')), tool(result('a', 'three'))]
    const pairs = pairTools(messages)
    expect(pairs).toHaveLength(1)
    expect(pairs[0]?.answer).toMatchObject({ result: { output: 'one' }, message: 1, part: 0 })
  })

  it('never takes a duplicate for the missing result of an older call with that id', () => {
    expect(
      describePairs(
        assistant(call('a')),
        user('again'),
        assistant(call('a')),
        tool(result('a', 'one')),
        tool(result('a', 'one')),
      ),
    ).toStrictEqual(['a 0>-', 'a 2>3'])
  })

  it('leaves results without a call alone, those before their call included', () => {
    expect(describePairs(tool(result('x')), tool(result('a')), assistant(call('a')))).toStrictEqual(['a 2>-'])
  })

  it('answers two calls with the same id in one message in their order', () => {
    const messages = [
      assistant(call('a', 'read', { n: 1 }), call('a', 'read', { n: 2 })),
      tool(result('a', 'one'), result('a', 'two')),
    ]
    expect(pairTools(messages).map(({ call: { input }, answer }) => [input['n'], answer?.result.output])).toStrictEqual(
      [
        [1, 'one'],
        [2, 'two'],
      ],
    )
  })

  it('finds nothing in messages without tools or without parts', () => {
    expect(describePairs(user(), assistant('hi'), tool())).toStrictEqual([])
    expect(describePairs()).toStrictEqual([])
  })

  it('lists every call once, in order, and uses every result at most once, after its call and under its id', () => {
    fc.assert(
      fc.property(arbitraryMessages(), (messages) => {
        const pairs = pairTools(messages)
        const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'))
        expect(pairs.map((pair) => pair.call)).toStrictEqual(calls)
        const answers = pairs.flatMap(({ answer }) => answer ?? [])
        expect(new Set(answers.map(({ message, part }) => `${message}:${part}`)).size).toBe(answers.length)
        for (const { call: asked, callMessage, answer } of pairs) {
          expect(messages[callMessage]?.parts).toContain(asked)
          if (answer === null) continue
          expect(answer.message).toBeGreaterThan(callMessage)
          expect(answer.result.toolCallId).toBe(asked.toolCallId)
          expect(messages[answer.message]?.parts[answer.part]).toBe(answer.result)
        }
      }),
    )
  })

  it('leaves a result unpaired only if the newest calls with its id are answered', () => {
    fc.assert(
      fc.property(arbitraryMessages(), (messages) => {
        const pairs = pairTools(messages)
        const used = new Set(pairs.map(({ answer }) => `${answer?.message}:${answer?.part}`))
        const unpaired = messages.flatMap(({ parts }, message) =>
          parts.flatMap((part, place) =>
            part.type === 'tool-result' && !used.has(`${message}:${place}`) ? [{ part, message }] : [],
          ),
        )
        for (const { part, message } of unpaired) {
          const before = pairs.filter((pair) => pair.callMessage < message && pair.call.toolCallId === part.toolCallId)
          const newest = before.filter((pair) => pair.callMessage === before.at(-1)?.callMessage)
          expect(newest.every(({ answer }) => answer !== null && answer.message <= message)).toBe(true)
        }
      }),
    )
  })
})

describe('hasToolCall', () => {
  it('looks at calls only', () => {
    expect(
      [assistant('hi', call('a')), assistant('hi'), assistant(), tool(result('a'))].map(hasToolCall),
    ).toStrictEqual([true, false, false, false])
  })
})
