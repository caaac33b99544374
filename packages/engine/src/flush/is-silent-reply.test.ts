import { expect, test } from 'vitest'
import { isSilentReply } from './is-silent-reply.ts'

test.each([
  ['NO_REPLY', true],
  ['no_reply', true],
  ['  No_Reply \n', true],
  ['NO_REPLY.', false],
  ['Saved. NO_REPLY', false],
  ['NO REPLY', false],
  ['', false],
])('OPEN-09 files: %j is silent: %s', (reply, expected) => {
  expect(isSilentReply(reply, 'NO_REPLY', 'files')).toBe(expected)
})

test.each([
  ['SILENT', true],
  ['silent', true],
  ['I saved two memories.\n\nSilent.', true],
  ['**SILENT**', true],
  ['Saved.', false],
  ['', false],
])('SPEC-03 tool: %j is silent: %s', (reply, expected) => {
  expect(isSilentReply(reply, 'SILENT', 'tool')).toBe(expected)
})

test('SPEC-03 an empty token makes nothing silent', () => {
  expect(isSilentReply('anything', ' ', 'tool')).toBe(false)
  expect(isSilentReply('', '', 'files')).toBe(false)
})
