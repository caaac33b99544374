import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { duration, globs, orOff, share, temperature, text } from './value-kinds.ts'

describe('duration', () => {
  it.each<[unknown, number | undefined]>([
    ['250ms', 250],
    ['30s', 30_000],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['2d', 172_800_000],
    ['1.5h', 5_400_000],
    ['0.5s', 500],
    [' 5 m ', 300_000],
    ['0s', 0],
    [0, 0],
    [1_500, 1_500],
    ['5', undefined],
    ['5M', undefined],
    ['m', undefined],
    ['', undefined],
    ['-5m', undefined],
    ['1e3s', undefined],
    ['5m 30s', undefined],
    ['9'.repeat(400) + 's', undefined],
    [-1, undefined],
    [1.5, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [null, undefined],
    [['5m'], undefined],
  ])('reads %j', (value, milliseconds) => {
    expect(duration.read(value)).toBe(milliseconds)
  })

  it('answers whole milliseconds or nothing, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.string(), fc.stringMatching(/^\d{1,20}(\.\d+)?(ms|s|m|h|d)$/)),
        (value) => {
          const milliseconds = duration.read(value) ?? 0
          expect(Number.isSafeInteger(milliseconds) && milliseconds >= 0).toBe(true)
        },
      ),
    )
  })
})

describe('kinds', () => {
  it('take the bounds they name', () => {
    expect([0, Number.MIN_VALUE, 1, 1.001].map((value) => share.read(value))).toStrictEqual([
      undefined,
      Number.MIN_VALUE,
      1,
      undefined,
    ])
    expect([-0.1, 0, 2, 2.1].map((value) => temperature.read(value))).toStrictEqual([undefined, 0, 2, undefined])
    expect(['a', '', ' ', 5].map((value) => text.read(value))).toStrictEqual(['a', undefined, undefined, undefined])
    expect([[], ['a*'], ['a', 1], 'a'].map((value) => globs.read(value))).toStrictEqual([
      [],
      ['a*'],
      undefined,
      undefined,
    ])
  })

  it('take null, false and "off" for off', () => {
    expect([null, false, 'off', 0.5, 'OFF', 0].map((value) => orOff(share).read(value))).toStrictEqual([
      null,
      null,
      null,
      0.5,
      undefined,
      undefined,
    ])
  })
})
