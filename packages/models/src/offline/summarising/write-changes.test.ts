import { describe, expect, it } from 'vitest'
import type { Point, PointKind } from './collect-points.ts'
import { writeChanges } from './write-changes.ts'

const point = (kind: PointKind, text: string): Point => ({ kind, text, score: 3, order: 1 })
const SECTIONS = ['Goal', 'Decisions', 'State', 'Findings', 'Open']

function write(points: readonly Point[], notes = '', isAnswered = true, isNumbered = false): readonly string[] {
  return writeChanges({ points, notes, sections: SECTIONS, budgetTokens: 500, isAnswered, isNumbered }).split('\n')
}

describe('writeChanges', () => {
  it('adds points under the titles the prompt wants', () => {
    expect(write([point('goal', 'Ship the gateway.'), point('finding', 'The port is 9417.')])).toEqual([
      '+ Goal: Ship the gateway.',
      '+ Findings: The port is 9417.',
    ])
  })

  it('says which message a point rests on, where messages have numbers', () => {
    expect(write([{ ...point('finding', 'The port is 9417.'), order: 12 }], '', true, true)).toEqual([
      '+ Findings: The port is 9417. (#12)',
    ])
  })

  it('leaves alone what stands there, and closes what has been answered', () => {
    const notes =
      '## Findings\n- [i1] The port is 9417.\n\n## Open\n- [i2] Asked last: what about the gate?\n- [i3] Order paint.'
    expect(write([point('finding', 'The port is 9417.')], notes)).toEqual(['x i2'])
    expect(write([point('finding', 'The port is 9417.')], notes, false)).toEqual(['No changes.'])
    expect(write([], '## Open (done, unless marked open)\n- [i2] Asked last: what about the gate?')).toEqual([
      'No changes.',
    ])
  })

  it('rewrites a point that has changed, and only that one', () => {
    const notes = '## Findings\n- [i1] The port is 9417.\n- [i2] The port of Lisbon is large.'
    expect(write([point('finding', 'The port is now 9555.')], notes)).toEqual(['~ i1: The port is now 9555.'])
    expect(write([point('state', 'Moved the port check to main.ts.')], notes)[0]).toMatch(/^\+ State: /)
  })
})
