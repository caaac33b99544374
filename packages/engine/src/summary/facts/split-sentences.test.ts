import { describe, expect, test } from 'vitest'
import { splitSentences } from './split-sentences.ts'

describe('splitSentences', () => {
  test.each([
    ['One. Two! three? four', ['One.', 'Two!', 'three?', 'four']],
    ['Use e.g. this one. And that.', ['Use e.g. this one.', 'And that.']],
    ['a file.ts and 3.5 s', ['a file.ts and 3.5 s']],
    ['你好。今天怎么样？很好！', ['你好。', '今天怎么样？', '很好！']],
    ['He said "stop." Then left.', ['He said "stop."', 'Then left.']],
    ['a line\n\nanother', ['a line', 'another']],
    ['', []],
  ])('%j', (text, expected) => {
    expect(splitSentences(text)).toEqual(expected)
  })
})
