import { describe, expect, test } from 'vitest'
import { MERGE_VERSION, createMergePrompt } from './merge-v1.ts'

const input = { parts: ['They met.', 'They chose Postgres.'], wish: null, language: null, words: null }

describe('createMergePrompt', () => {
  test('is version 1', () => {
    expect(MERGE_VERSION).toBe(1)
  })

  test('OPEN-13 hands in the parts in order and asks for one summary after them', () => {
    const { prompt } = createMergePrompt(input)
    expect(prompt).toMatch(
      /PART 1 OF 2 [0-9a-f]+ -----\nThey met\.[\s\S]*PART 2 OF 2 [0-9a-f]+ -----\nThey chose Postgres\./,
    )
    expect(prompt.indexOf('one summary that replaces them all')).toBeGreaterThan(prompt.lastIndexOf('END PART 2'))
  })

  test.each(['decision', 'TODO', 'open question', 'constraint'])('OPEN-13 asks to keep every %s', (word) => {
    expect(createMergePrompt(input).prompt).toContain(word)
  })

  test('OPEN-14 carries the wish', () => {
    expect(createMergePrompt({ ...input, wish: 'paths' }).prompt).toMatch(/BEGIN WISH [0-9a-f]+ -----\npaths\n/)
  })
})
