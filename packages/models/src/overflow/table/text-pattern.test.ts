import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCount, textPattern } from './text-pattern.ts'

describe('textPattern', () => {
  it('reads the numbers of a sentence by name', () => {
    const pattern = textPattern('count ({actual}) exceeds … allowed ({limit}).')
    const groups = pattern.exec('The Count (1196265)\n exceeds the  number of tokens allowed (1,048,575).')?.groups
    expect(groups).toEqual({ actual: '1196265', limit: '1,048,575' })
  })

  it('takes what regular expressions are written with for itself', () => {
    expect(textPattern('a.b [x]* (y)? $1 c|d {odd').test('A.B [x]* (y)? $1 c|d {odd')).toBe(true)
    expect(textPattern('a.b').test('aXb')).toBe(false)
    expect(textPattern('c|d').test('c')).toBe(false)
  })

  it('bridges 160 characters and no more', () => {
    const pattern = textPattern('from…to')
    expect(pattern.test(`from${'.'.repeat(160)}to`)).toBe(true)
    expect(pattern.test(`from${'.'.repeat(161)}to`)).toBe(false)
  })

  it('takes whole numbers, not their first digits', () => {
    const pattern = textPattern('limit {limit} tokens')
    expect(pattern.exec('limit 1234567 tokens')?.groups?.['limit']).toBe('1234567')
    expect(pattern.exec('limit 12,34 tokens')).toBeNull()
  })
})

describe('readCount', () => {
  it.each([
    ['131072', 131_072],
    ['213,462', 213_462],
    ['1_048_576', 1_048_576],
    ['1.048.576', 1_048_576],
    ["1'048'576", 1_048_576],
    ['1\u202f048\u202f576', 1_048_576],
    ['0', 0],
  ])('reads %j', (text, count) => {
    expect(readCount(text)).toBe(count)
    expect(textPattern('of {limit} tokens').exec(`of ${text} tokens`)?.groups?.['limit']).toBe(text)
  })

  it('reads nothing where there is nothing', () => {
    expect(readCount(undefined)).toBeNull()
    expect(readCount('')).toBeNull()
  })

  it('reads every number back, whatever separates its thousands', () => {
    const separator = fc.constantFrom('', ',', '.', '_', "'", '\u00a0')
    fc.assert(
      fc.property(fc.nat(), separator, (count, sign) => {
        const written = count.toLocaleString('en-US').replaceAll(',', sign)
        expect(readCount(textPattern('is {n}!').exec(`is ${written}!`)?.groups?.['n'])).toBe(count)
      }),
    )
  })
})
