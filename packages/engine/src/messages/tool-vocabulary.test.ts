import { describe, expect, test } from 'vitest'
import { CHANGE_WORDS, LISTING_WORDS, isPathKey, toolWords } from './tool-vocabulary.ts'

describe('what names say', () => {
  test.each([
    ['read', ['read']],
    ['readTextFile', ['read', 'text', 'file']],
    ['mcp__files__write_file', ['write', 'file']],
    ['server.multi-edit', ['multi', 'edit']],
    ['', []],
  ])('the words of %s', (name, words) => {
    expect(toolWords(name)).toEqual(words)
  })

  test.each(['path', 'file_path', 'filePath', 'absolute_path', 'target_file', 'notebook_path', 'filename', 'uri'])(
    '%s names a file',
    (key) => {
      expect(isPathKey(key)).toBe(true)
    },
  )

  test.each(['pattern', 'content', 'command', 'pathology', 'profile'])('%s does not', (key) => {
    expect(isPathKey(key)).toBe(false)
  })

  test('no word both changes and lists', () => {
    expect([...CHANGE_WORDS].filter((word) => LISTING_WORDS.has(word))).toEqual([])
  })
})
