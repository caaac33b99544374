import { expect, it } from 'vitest'
import { termsOf } from './terms.ts'
import { corrects, replaces } from './corrects.ts'

const statement = (text: string) => ({ text, terms: termsOf(text) })

it.each([
  ['The port is now 9090.', 'The port is 8080.', true, true],
  ['Correction: the gateway timeout is 45 seconds.', 'The API gateway has a timeout of 30 seconds.', true, true],
  ['Actually the meeting moved to Friday.', 'The meeting is on Thursday.', true, false],
  ['The port is 9090.', 'The port is 8080.', false, false],
  ['The header is now blue.', 'The port is 8080.', false, false],
  ['The port is now 9090.', 'The port is open.', true, false],
  ['The port is now 9090.', 'The port is now 9090.', true, false],
  ['It could move to main.ts, where the port of the old server is read at start.', 'The port is 8080.', true, false],
])('%s – after: %s', (later, earlier, isCorrected, isReplaced) => {
  expect(corrects(statement(later), statement(earlier))).toBe(isCorrected)
  expect(replaces(statement(later), statement(earlier))).toBe(isReplaced)
})
