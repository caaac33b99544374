import { describe, expect, it } from 'vitest'
import { findTail } from './find-tail.ts'

function hashesOf(text: string): readonly { readonly hash: string }[] {
  return text.split('').map((hash) => ({ hash }))
}

describe('the place in the log where a list goes on that may be the end of a longer one', () => {
  it.each([
    ['a new log', '', 'abc', 0],
    ['a list that is whole', 'abc', 'abcd', 0],
    ['the end of the log, and what is new', 'abcdef', 'defgh', 3],
    ['an end that says the same again and again', 'aaaa', 'aaaab', 0],
    ['answers that repeat: the longest part counts', 'abxbcxbd', 'bcxbde', 3],
    ['one message that stood there before is chance', 'abcdef', 'fz', 0],
    ['another history', 'abcdef', 'xyz', 0],
    ['an end whose newest message was said anew', 'abcdefghijklmn', 'defghijklmo', 3],
    ['a few messages from the middle are chance', 'abcdefgh', 'cdx', 0],
  ])('%s', (_name, log, list, before) => {
    expect(findTail(hashesOf(log), hashesOf(list))).toBe(before)
  })
})
