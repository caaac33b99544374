import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { append, elementsOf, emptyList, findPlace, listOf, startAt } from './append-list.ts'
import type { AppendList } from './append-list.ts'

describe('append', () => {
  it('leaves every older version what it was, whichever version is appended to', () => {
    const one = append(emptyList<string>(), 'a')
    const two = append(one, 'b')
    const branch = append(one, 'c')
    const three = append(two, 'd')
    const again = append(two, 'e')
    expect([one, two, branch, three, again].map(elementsOf)).toEqual([
      ['a'],
      ['a', 'b'],
      ['a', 'c'],
      ['a', 'b', 'd'],
      ['a', 'b', 'e'],
    ])
  })

  it('shares one backing among versions that grow in a line: linear, not quadratic', () => {
    const first = append(emptyList<number>(), 0)
    let list = first
    for (let index = 1; index < 1_000; index += 1) list = append(list, index)
    expect(list.backing).toBe(first.backing)
  })

  it('never changes the array a list was made of', () => {
    const elements = ['a', 'b']
    const list = listOf(elements)
    expect(elementsOf(append(list, 'c'))).toEqual(['a', 'b', 'c'])
    expect(elementsOf(append(list, 'd'))).toEqual(['a', 'b', 'd'])
    expect(elements).toEqual(['a', 'b'])
  })

  it('behaves like plain arrays under random use', () => {
    const step = fc.record({ version: fc.nat(), value: fc.integer(), start: fc.option(fc.nat({ max: 30 })) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const versions: { list: AppendList<number>; all: readonly number[]; start: number }[] = [
          { list: emptyList(), all: [], start: 0 },
        ]
        for (const { version, value, start } of steps) {
          const from = versions[version % versions.length]
          if (from === undefined) continue
          const all = [...from.all, value]
          const list = append(from.list, value)
          const shown = Math.min(start ?? from.start, all.length)
          versions.push({ list: start === null ? list : startAt(list, start), all, start: shown })
        }
        for (const { list, all, start } of versions) expect(elementsOf(list)).toEqual(all.slice(start))
      }),
    )
  })
})

describe('startAt', () => {
  it('moves both ways within what is there', () => {
    const list = listOf([1, 2, 3])
    expect(elementsOf(startAt(startAt(list, 2), 1))).toEqual([2, 3])
    expect(elementsOf(startAt(list, 9))).toEqual([])
    expect(elementsOf(startAt(list, -1))).toEqual([1, 2, 3])
  })
})

describe('findPlace', () => {
  it('finds the first place that is not before the wanted one, from the start of the backing', () => {
    const list = startAt(listOf([2, 4, 6]), 2)
    const place = (wanted: number): number => findPlace(list, (element) => element < wanted)
    expect([1, 2, 3, 4, 6, 7].map(place)).toEqual([0, 0, 1, 1, 2, 3])
  })

  it('does not see what a newer version appended', () => {
    const list = listOf([1])
    append(list, 2)
    expect(findPlace(list, (element) => element < 5)).toBe(1)
  })
})
