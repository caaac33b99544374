import type { Role } from '@longhaul/engine/advanced'
import { describe, expect, it } from 'vitest'
import { collectPoints } from './collect-points.ts'
import { fitPoints } from './fit-points.ts'
import { createEntry } from './create-entry.ts'

function collect(...said: readonly (readonly [Role, string])[]): readonly (readonly [string, string])[] {
  const entries = said.map(([role, text], index) => createEntry(index, role, [{ type: 'text', text }]))
  return collectPoints(entries, { withNames: false }).map(({ kind, text }) => [kind, text] as const)
}

describe('collectPoints', () => {
  it('takes instructions, decisions, facts and reports, and what is open', () => {
    const points = collect(
      ['user', 'Build the gateway, please.'],
      ['assistant', 'The gateway in src/gateway.ts works and passes 14 tests.'],
      ['user', 'Never use Redis. My budget is 500 euros. We decided to use Fastify for the gateway.'],
      ['assistant', 'Understood.'],
      ['user', 'How far is it?'],
    )
    expect(points).toEqual(
      expect.arrayContaining([
        ['goal', 'Build the gateway, please.'],
        ['goal', 'Never use Redis.'],
        ['finding', 'My budget is 500 euros.'],
        ['decision', 'We decided to use Fastify for the gateway.'],
        ['state', 'The gateway in src/gateway.ts works and passes 14 tests.'],
        ['open', 'Asked last: How far is it?'],
      ]),
    )
  })

  it('keeps no secret, no small talk and nothing that the model only repeated', () => {
    const points = collect(
      ['user', 'My api key is: api_key=sk-live-0123456789abcdef0123 and my port is 8080.'],
      ['assistant', 'From your message:\n> My port is 8080 and I like it very much.'],
      ['user', 'Thanks!'],
      ['assistant', 'You are welcome.'],
    )
    expect(JSON.stringify(points)).not.toContain('0123456789abcdef')
    expect(points.filter(([kind]) => kind === 'state')).toEqual([])
  })
})

describe('fitPoints', () => {
  const point = (text: string, score: number, order: number) => ({ kind: 'finding', text, score, order }) as const

  it('keeps the best that fit, in the order they were said', () => {
    const points = [
      point('The gate is B22 in the north hall.', 2, 1),
      point('The code is 4417 for both doors.', 3, 2),
      point('It rains.', 1, 3),
    ]
    expect(fitPoints(points, 30).map(({ order }) => order)).toEqual([1, 2])
    expect(fitPoints(points, 0).map(({ order }) => order)).toEqual([2])
  })

  it('says nothing twice, and nothing that was taken back', () => {
    const points = [
      point('The port is 8080.', 3, 1),
      point('The port is now 9090.', 2, 2),
      point('the port is now 9090', 1, 3),
    ]
    expect(fitPoints(points, 500).map(({ order }) => order)).toEqual([2])
    expect(fitPoints(points, 500, ['The port is now 9090, it says.'])).toEqual([])
  })
})
