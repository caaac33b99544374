import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryMessages } from '../testing/arbitrary-conversation.ts'
import { assistant, call, result, tool, user } from '../testing/build-conversation.ts'
import type { Message } from '../transcript/message.ts'
import { findCutPoints } from './cut-points.ts'
import { pairTools } from './tool-pairs.ts'

function legalCuts(...messages: readonly Message[]): readonly number[] {
  const { isLegal } = findCutPoints(messages)
  return Array.from({ length: messages.length + 1 }, (_, index) => index).filter(isLegal)
}

describe('findCutPoints', () => {
  it('allows every cut in a conversation without tools', () => {
    expect(legalCuts(user('a'), assistant('b'), user('c'), assistant('d'))).toStrictEqual([0, 1, 2, 3, 4])
  })

  it('MICRO-05 never cuts between a call and its result', () => {
    expect(legalCuts(user('a'), assistant(call('x')), tool(result('x')), assistant('b'))).toStrictEqual([0, 1, 3, 4])
  })

  it('MICRO-05 keeps parallel calls with all of their results', () => {
    expect(
      legalCuts(user('a'), assistant(call('x'), call('y')), tool(result('y')), tool(result('x')), assistant('b')),
    ).toStrictEqual([0, 1, 4, 5])
  })

  it('MICRO-05 does not cut at a message that was typed between a call and its result', () => {
    expect(
      legalCuts(user('a'), assistant(call('x')), user('hurry'), tool(result('x')), user('and?'), assistant('b')),
    ).toStrictEqual([0, 1, 4, 5, 6])
  })

  it('cuts after a call that nobody answers', () => {
    expect(legalCuts(user('a'), assistant(call('x')), user('b'), assistant('c'))).toStrictEqual([0, 1, 2, 3, 4])
  })

  it('MICRO-05 tells turns apart that use the same id', () => {
    expect(
      legalCuts(assistant(call('x')), tool(result('x')), user('b'), assistant(call('x')), tool(result('x'))),
    ).toStrictEqual([0, 2, 3, 5])
  })

  it('never opens what is kept with a result that lost its call', () => {
    expect(legalCuts(tool(result('x')), tool(result('y')), user('a'))).toStrictEqual([0, 2, 3])
  })

  it('has only the two ends where one exchange holds everything', () => {
    expect(legalCuts(assistant(call('x')), user('a'), user('b'), tool(result('x')))).toStrictEqual([0, 4])
    expect(legalCuts()).toStrictEqual([0])
  })

  it('calls no place legal that is outside the list', () => {
    const { isLegal } = findCutPoints([user('a')])
    expect([-1, 2, 0.5, Number.NaN].map(isLegal)).toStrictEqual([false, false, false, false])
  })

  it('moves to the nearest legal cut either way, also from outside', () => {
    const cuts = findCutPoints([user('a'), assistant(call('x')), tool(result('x')), assistant('b')])
    expect([-3, 0, 1, 2, 3, 4, 9].map(cuts.atOrAfter)).toStrictEqual([0, 0, 1, 3, 3, 4, 4])
    expect([-3, 0, 1, 2, 3, 4, 9].map(cuts.atOrBefore)).toStrictEqual([0, 0, 1, 1, 3, 4, 4])
  })

  it('MICRO-05 separates no pair in any conversation', () => {
    fc.assert(
      fc.property(arbitraryMessages(), (messages) => {
        const { isLegal } = findCutPoints(messages)
        expect(isLegal(0) && isLegal(messages.length)).toBe(true)
        const pairs = pairTools(messages)
        for (let cut = 1; cut < messages.length; cut += 1) {
          const separated = pairs.filter(
            ({ callMessage, answer }) => answer !== null && callMessage < cut && answer.message >= cut,
          )
          expect(isLegal(cut)).toBe(separated.length === 0 && messages[cut]?.role !== 'tool')
        }
      }),
      { numRuns: 300 },
    )
  })

  it('lands on the nearest legal cut in any conversation', () => {
    fc.assert(
      fc.property(arbitraryMessages(), fc.integer({ min: -5, max: 80 }), (messages, index) => {
        const { isLegal, atOrAfter, atOrBefore } = findCutPoints(messages)
        const inside = Math.min(Math.max(index, 0), messages.length)
        const [before, after] = [atOrBefore(index), atOrAfter(index)]
        expect(isLegal(before) && isLegal(after)).toBe(true)
        expect(before <= inside && inside <= after).toBe(true)
        for (let place = before + 1; place < after; place += 1) expect(isLegal(place) && place !== inside).toBe(false)
      }),
    )
  })
})
