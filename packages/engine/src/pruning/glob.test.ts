import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isToolSelected, matchesGlob } from './glob.ts'

test.each([
  ['*', 'read', true],
  ['*', '', true],
  ['read', 'read', true],
  ['read', 'READ', true],
  ['Read*', 'read_file', true],
  ['*_file', 'read_file', true],
  ['*_file', 'file', false],
  ['mcp__*__read', 'mcp__files__read', true],
  ['mcp__*__read', 'mcp__read', false],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'a-c', false],
  ['aa*aa', 'aaa', false],
  ['read', 'read_file', false],
  ['re.d', 'read', false],
])('OPEN-06 %s on %j: %s', (pattern, name, expected) => {
  expect(matchesGlob(pattern, name)).toBe(expected)
})

test('OPEN-06 deny wins over allow', () => {
  expect(isToolSelected('read_secret', { allow: ['read*'], deny: [] })).toBe(true)
  expect(isToolSelected('read_secret', { allow: ['read*'], deny: ['*SECRET'] })).toBe(false)
  expect(isToolSelected('bash', { allow: ['read*'], deny: [] })).toBe(false)
})

test('OPEN-06 an empty allow list allows every tool', () => {
  expect(isToolSelected('bash', { allow: [], deny: [] })).toBe(true)
  expect(isToolSelected('bash', { allow: [], deny: ['bash'] })).toBe(false)
})

test('OPEN-06 agrees with a regular expression on any pattern', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 })
  const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 })
  fc.assert(
    fc.property(patterns, letters, (pattern, name) => {
      expect(matchesGlob(pattern, name)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name))
    }),
  )
})
