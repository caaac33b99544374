import { expect, it } from 'vitest'
import { rememberByText } from './text-memo.ts'

it('asks once for a text it knows and again for one it had to forget', () => {
  const asked: string[] = []
  const measure = rememberByText((text) => {
    asked.push(text)
    return text.length
  }, 10)
  expect(['aaaa', 'bbbb', 'aaaa', 'bbbb'].map(measure)).toEqual([4, 4, 4, 4])
  expect(asked).toEqual(['aaaa', 'bbbb'])

  expect(['cccc', 'bbbb', 'aaaa'].map(measure)).toEqual([4, 4, 4])
  expect(asked, 'the least recently used one left').toEqual(['aaaa', 'bbbb', 'cccc', 'aaaa'])
})

it('answers for a text larger than all it may keep, and for an empty one', () => {
  let asked = 0
  const measure = rememberByText((text) => {
    asked += 1
    return text === '' ? undefined : text.length
  }, 3)
  expect([measure('long text'), measure('long text'), measure(''), measure('')]).toEqual([9, 9, undefined, undefined])
  expect(asked).toBe(3)
})
