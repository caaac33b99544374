import { expect, it } from 'vitest'
import { readSmallTalk } from './read-small-talk.ts'

it.each([
  ['hello', 'introduce'],
  ['Hi there!', 'introduce'],
  ['Who are you?', 'introduce'],
  ['Are you a real person or an AI?', 'introduce'],
  ['你好！', 'introduce'],
  ['help', 'introduce'],
  ['Summarize our conversation so far', 'recap'],
  ['recap please', 'recap'],
  ['What have we discussed?', 'recap'],
  ['Thanks a lot!', 'welcome'],
  ['Write a poem about cats', 'cannot-write'],
  ['hi, my port is 8080', null],
  ['Which port are you using?', null],
  ['The poem is done.', null],
  ['', null],
])('%s', (message, talk) => {
  expect(readSmallTalk(message)).toBe(talk)
})
