import { describe, expect, it } from 'vitest'
import type { RequestItem } from '../carriers/carrier.ts'
import { createConversation } from '../conversation/conversation.ts'
import { buildSession } from '../testing/build-session.ts'
import { createReferenceBook } from './reference-book.ts'
import { readQuestions } from './read-questions.ts'
import { createRetentionMeasure } from './retention.ts'
import { createWordIndex } from './word-index.ts'

const conversation = createConversation(buildSession({ turns: 12, stepsPerTurn: 4, resultChars: 400 }))
const { messages } = conversation
const book = createReferenceBook(conversation)
const sent = (from: number): readonly RequestItem[] =>
  messages.slice(from).map((message) => ({
    key: `m${message.index}`,
    kind: message.role,
    state: 'verbatim',
    message,
    tokens: 1,
    index: message.index,
  }))

function measure(from: number, extra: readonly RequestItem[] = []) {
  const all = [...extra, ...sent(from)]
  const retention = createRetentionMeasure({ conversation, book, questions: [], recallHits: 5 })
  for (const { index } of messages) retention.atRequest([index], all)
  return retention.finish(all).kinds
}

describe('createReferenceBook', () => {
  it('finds what is mentioned again a while later, in whatever a message says', () => {
    const facts = [...book.byMessage.values()].flat().map(({ text }) => text)
    expect(facts).toContain('src/part-0-0.ts')
  })

  it('searches blindly: with the other words of the message only, and only before it', () => {
    for (const message of book.byMessage.keys()) {
      expect(book.findBlindly(message).every((hit) => hit < message)).toBe(true)
    }
  })
})

describe('createRetentionMeasure', () => {
  it('finds everything while everything is sent, and less with less', () => {
    const [whole, half, nothing] = [measure(0), measure(Math.floor(messages.length / 2)), measure(messages.length)]
    expect(whole.file.endInContext.held).toBe(whole.file.endInContext.of)
    expect(whole.file.referredInContext.held).toBe(whole.file.referredInContext.of)
    expect(half.file.endInContext.held).toBeLessThan(whole.file.endInContext.held)
    expect(nothing.file.endInContext.held).toBe(0)
    expect(nothing.file.endInContext.of).toBe(whole.file.endInContext.of)
  })

  it('takes what a summary names for there', () => {
    const message = { role: 'user', parts: [{ type: 'text', text: 'Read so far: src/part-0-0.ts' }] } as const
    const summary: RequestItem = { key: 's', kind: 'summary', state: 'summarised', message, tokens: 1, index: null }
    expect(measure(messages.length, [summary]).file.endInContext.held).toBe(1)
  })

  it('counts a search only for what is not in context', () => {
    expect(measure(0).file.referredRecalled.of).toBe(0)
    expect(measure(messages.length).file.referredRecalled.of).toBeGreaterThan(0)
  })
})

describe('createWordIndex', () => {
  it('puts the text with the rare words first, in scripts without spaces too', () => {
    const index = createWordIndex(['the cat sat', 'the dog sat on the mat', '鍵は植木鉢の下です'])
    expect(index.search(['dog', 'the'], 3)[0]).toBe(1)
    expect(index.search(['dog'], 1)).toEqual([])
    expect(index.search(['植木'], 3)).toEqual([2])
  })
})

describe('readQuestions', () => {
  it('reads an array and lines, and says which question is broken', () => {
    const question = { question: 'When?', answer: 'noon' }
    expect(readQuestions(JSON.stringify([question]))).toEqual([question])
    expect(readQuestions(`${JSON.stringify(question)}\n\n${JSON.stringify(question)}\n`)).toHaveLength(2)
    expect(() => readQuestions('[{"question": 1}]')).toThrow('Question 1')
  })
})
