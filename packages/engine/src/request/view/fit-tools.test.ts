import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolOrigin } from './environment.ts'
import { fitTools } from './fit-tools.ts'
import type { OfferedTool } from './fit-tools.ts'

const PROGRAM: ToolOrigin = { kind: 'program' }

function offer(name: string, origin: ToolOrigin | null, chars: number): OfferedTool {
  const tool = { name, description: 'x'.repeat(chars), inputSchema: {} }
  return origin === null ? tool : { ...tool, origin }
}

function many(server: string, count: number, chars: number): readonly OfferedTool[] {
  return Array.from({ length: count }, (_, index) => offer(`${server}_${index}`, { kind: 'mcp', server }, chars))
}

const fit = (tools: readonly OfferedTool[], toolTokens: number) => fitTools(tools, { toolTokens, estimator: 'plain' })
const namesOf = (tools: readonly OfferedTool[]): readonly string[] => tools.map(({ name }) => name)

describe('fitTools', () => {
  it('keeps all where there is room, in the order in which they came', () => {
    const tools = [offer('own', null, 100), ...many('a', 3, 100), offer('mine', PROGRAM, 100), ...many('b', 2, 100)]
    expect(fit(tools, 10_000)).toStrictEqual({ tools, leftOut: [] })
  })

  it('18.15 never leaves out what comes with Longhaul', () => {
    const tools = [offer('own', null, 90_000), offer('mine', PROGRAM, 100), ...many('a', 3, 100)]
    const { tools: kept, leftOut } = fit(tools, 0)
    expect(namesOf(kept)).toStrictEqual(['own'])
    expect(leftOut.map(({ origin, leftOut: count }) => [origin.kind, count])).toStrictEqual([
      ['program', 1],
      ['mcp', 3],
    ])
  })

  it('18.15 a program goes before servers, and servers share what remains: a small one is not pushed out', () => {
    const tools = [...many('greedy', 1_000, 400), ...many('small', 3, 400), ...many('other', 1_000, 400)]
    const { tools: kept, leftOut } = fit([...tools, offer('mine', PROGRAM, 4_000)], 10_000)
    const count = (server: string): number => namesOf(kept).filter((name) => name.startsWith(`${server}_`)).length
    expect(namesOf(kept)).toContain('mine')
    expect(count('small')).toBe(3)
    expect(count('greedy')).toBe(count('other'))
    expect(count('greedy')).toBeGreaterThan(30)
    expect(leftOut).toMatchObject([
      { origin: { server: 'greedy' }, offered: 1_000, leftOut: 1_000 - count('greedy') },
      { origin: { server: 'other' }, offered: 1_000 },
    ])
  })

  it('18.15 one tool that is too large takes nothing from the others of its server', () => {
    const [first, second] = many('a', 2, 100)
    const huge = offer('a_huge', { kind: 'mcp', server: 'a' }, 3_000_000)
    const { tools, leftOut } = fit([huge, ...(first && second ? [first, second] : [])], 1_000_000)
    expect(namesOf(tools)).toStrictEqual(['a_0', 'a_1'])
    expect(leftOut).toMatchObject([{ offered: 3, leftOut: 1 }])
    expect(leftOut[0]?.tokens).toBeGreaterThan(700_000)
  })

  it('18.15 never takes more than its room, counts what it leaves out, and is the same every time', () => {
    const origin = fc.constantFrom<ToolOrigin>(PROGRAM, { kind: 'mcp', server: 'a' }, { kind: 'mcp', server: 'b' })
    const offers = fc.array(fc.tuple(origin, fc.nat(60_000)), { maxLength: 30 })
    fc.assert(
      fc.property(offers, fc.nat(50_000), (wishes, toolTokens) => {
        const tools = wishes.map(([from, chars], index) => offer(`t${index}`, from, chars))
        const { tools: kept, leftOut } = fit(tools, toolTokens)
        const chars = kept.reduce((sum, { name, description, inputSchema }) => {
          return sum + JSON.stringify({ name, description, inputSchema }).length
        }, 0)
        expect(chars / 4 - kept.length).toBeLessThanOrEqual(toolTokens)
        expect(leftOut.reduce((sum, one) => sum + one.leftOut, 0)).toBe(tools.length - kept.length)
        expect(fit(tools, toolTokens)).toStrictEqual({ tools: kept, leftOut })
      }),
    )
  })
})
