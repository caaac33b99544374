import { describe, expect, it } from 'vitest'
import { createWordIndex } from './word-index.ts'

describe('an index of words that grows', () => {
  it('weighs rare words more, and unknown ones nothing', () => {
    const index = createWordIndex()
    for (let seq = 1; seq <= 10; seq += 1) index.add(seq, ['common', `rare${seq}`])
    expect(index.weigh('rare3')).toBeGreaterThan(index.weigh('common'))
    expect(index.weigh('never')).toBe(0)
  })

  it('finds the messages before a place that tell enough, best first', () => {
    const index = createWordIndex()
    index.add(1, ['boiler', 'green'])
    index.add(2, ['boiler'])
    index.add(3, ['sea'])
    index.add(4, ['boiler', 'green', 'house'])
    const wanted = new Map([
      ['boiler', 1],
      ['green', 1],
    ])
    expect(index.find(wanted, { beforeSeq: 4, limit: 5, minTold: 0 })).toEqual([1, 2])
    expect(index.find(wanted, { beforeSeq: 4, limit: 1, minTold: 0 })).toEqual([1])
    const both = index.weigh('boiler') + index.weigh('green')
    expect(index.find(wanted, { beforeSeq: 9, limit: 5, minTold: both })).toEqual([1, 4])
    expect(index.holders('boiler')).toEqual([1, 2, 4])
  })
})
