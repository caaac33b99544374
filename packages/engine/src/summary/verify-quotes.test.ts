import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryText } from '../testing/arbitrary-conversation.ts'
import { verifyQuotes } from './verify-quotes.ts'

const SAID = ['Please keep the old files around for reference,  ok?', "don't push to main", '请保持简短，不要用表格']

describe('verifyQuotes', () => {
  test.each([
    'The user said "keep the old files around for reference".',
    'The user asked to “Keep the OLD files around for reference, ok?”',
    'User: "don’t push to main"',
    'The user said "keep the old files … for reference".',
    '用户说「不要用表格」。',
    'The file says "nothing of the kind".',
    'The user likes tests.',
    'The user has a file with "type": "module" in it.',
    'They call this pattern "exactly once".',
    '"don’t push to main", the user confirmed.',
    'The "strict" user mode is on, and it\'s the client\'s default.',
    'The table "users" was read.',
  ])('stays: %s', (text) => {
    expect(verifyQuotes(text, SAID)).toEqual({ text, reworded: 0, invented: 0 })
  })

  test('a rewording loses its marks', () => {
    expect(verifyQuotes('The user said "please keep all the old files for later reference".', SAID)).toEqual({
      text: 'The user said please keep all the old files for later reference.',
      reworded: 1,
      invented: 0,
    })
  })

  test.each([
    '"Ship it", the user confirmed.',
    '"Ship it," said the user.',
    '"Ship it" – user',
    "The user wrote: 'ship it'",
  ])('an approval nobody gave is found wherever the name stands: %s', (text) => {
    expect(verifyQuotes(text, SAID)).toEqual({ text: '', reworded: 0, invented: 1 })
  })

  test('an approval nobody gave leaves with its sentence', () => {
    const text =
      '- The parser is done. The user said "yep, go ahead". Next come the tests.\n- The user approved: "ship it"'
    expect(verifyQuotes(text, SAID)).toEqual({
      text: '- The parser is done. Next come the tests.',
      reworded: 0,
      invented: 2,
    })
  })

  test('a short answer must be right to the word', () => {
    expect(verifyQuotes('The user said "push to main".', ['push to main']).invented).toBe(0)
    expect(verifyQuotes('The user said "yes".', ['yesterday was fine']).invented).toBe(1)
  })

  test('text without quotes comes back as it is, whatever it holds', () => {
    fc.assert(
      fc.property(arbitraryText(), fc.array(arbitraryText()), (text, said) => {
        const plain = text.replaceAll(/["“„«「『]/g, '')
        expect(verifyQuotes(plain, said).text).toBe(plain)
        expect(() => verifyQuotes(`The user said "${text}"`, said)).not.toThrow()
      }),
    )
  })
})
