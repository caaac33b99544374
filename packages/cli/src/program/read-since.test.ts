import { expect, it } from 'vitest'
import { readSince } from './read-since.ts'

const NOW = new Date('2026-11-19T12:00:00').getTime()
const DAY = 86_400_000

it.each([
  ['12h', NOW - DAY / 2],
  ['30d', NOW - 30 * DAY],
  ['8W', NOW - 56 * DAY],
  ['2026-11-01', new Date('2026-11-01T00:00:00').getTime()],
])('%s is a time in the past', (words, at) => {
  expect(readSince(words, undefined, NOW)).toEqual({ words, at })
})

it.each([
  '',
  '30',
  'd',
  '0d',
  '-3d',
  '1.5d',
  '30m',
  'yesterday',
  '2026-02-31',
  '2026-13-01',
  '2027-01-01',
  '9'.repeat(50),
])('%j is refused', (words) => {
  expect(() => readSince(words, undefined, NOW)).toThrow(/30d/)
})
