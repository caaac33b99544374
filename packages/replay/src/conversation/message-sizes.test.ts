import { describe, expect, it } from 'vitest'
import { buildSession } from '../testing/build-session.ts'
import { createConversation } from './conversation.ts'
import { measureSizes } from './message-sizes.ts'

const countTokens = (text: string): number => Math.ceil(text.length / 4)
const shape = { turns: 3, stepsPerTurn: 2, resultChars: 4_000 }

describe('measureSizes', () => {
  it('counts and adds nothing where nobody was billed', () => {
    const conversation = createConversation(buildSession(shape))
    const { headTokens, ratio, tokensOfStored, tokensOf } = measureSizes(conversation, countTokens)
    expect([headTokens, ratio()]).toEqual([0, 1])
    conversation.messages.forEach((message) => {
      expect(tokensOfStored(message.index)).toBe(tokensOf(message))
    })
  })

  it('takes from two bills in a row what came between them, and what every request adds from the first', () => {
    const bare = createConversation(buildSession(shape))
    const counted = measureSizes(bare, countTokens)
    const answers = bare.messages.filter(({ role }) => role === 'assistant').map(({ index }) => index)
    const before = (end: number): number =>
      bare.messages.slice(0, end).reduce((sum, { index }) => sum + counted.tokensOfStored(index), 0)
    const usage = (request: number) => ({ input: Math.round(9_000 + before(answers[request] ?? 0) * 1.4), output: 20 })
    const { headTokens, ratio, tokensOfStored } = measureSizes(
      createConversation(buildSession({ ...shape, usage })),
      countTokens,
    )
    expect(ratio()).toBeCloseTo(1.4, 2)
    expect(Math.abs(headTokens - 9_000)).toBeLessThan(10)
    expect(Math.abs(tokensOfStored(2) - counted.tokensOfStored(2) * 1.4)).toBeLessThan(3)
  })

  it('learns nothing from a bill that shrank', () => {
    const usage = (request: number) => ({ input: 90_000 - request * 1_000, output: 20 })
    const { ratio, tokensOfStored } = measureSizes(createConversation(buildSession({ ...shape, usage })), countTokens)
    expect(ratio()).toBe(1)
    expect(tokensOfStored(2)).toBeGreaterThan(1_000)
  })
})
