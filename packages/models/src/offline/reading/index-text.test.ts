import { expect, it } from 'vitest'
import { indexText } from './index-text.ts'

it('finds the sentences that hold a word', () => {
  const { sentences, places } = indexText('The port is 8080. Is it open?\nThe host is new.')
  expect(sentences.map(({ text, isQuestion }) => [text, isQuestion])).toEqual([
    ['The port is 8080.', false],
    ['Is it open?', true],
    ['The host is new.', false],
  ])
  expect(places.get('port')).toEqual([0])
  expect(places.get('host')).toEqual([2])
})

it('cuts a line that nobody would quote whole, and loses nothing of it', () => {
  const words = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ')
  const { sentences } = indexText(words)
  expect(sentences.every(({ text }) => text.length <= 400)).toBe(true)
  expect(sentences.map(({ text }) => text).join(' ')).toBe(words)
  expect(indexText('x'.repeat(1_000)).sentences).toHaveLength(3)
})

it('remembers what it has read', () => {
  const words = ['Read once.', 'Found twice.']
  expect(indexText(words.join(' '))).toBe(indexText(words.join(' ')))
})
