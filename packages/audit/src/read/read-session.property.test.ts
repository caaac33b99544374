import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentSession, FoundSession } from '../find/agent-session.ts'
import { readTextOf } from '../testing/read-text-of.ts'
import { createClaudeCodeLines, createCodexLines, createGeminiLines, createPiLines } from '../testing/session-files.ts'

const FILES = [
  ['claude-code', createClaudeCodeLines()],
  ['codex', createCodexLines()],
  ['gemini-cli', createGeminiLines()],
  ['pi', createPiLines()],
  ['openclaw', createPiLines()],
] as const satisfies readonly (readonly [FoundSession['agent'], readonly object[]])[]

/** Values that stand where others should, written as JSON. */
const HOSTILE = [
  'null',
  '{}',
  '[]',
  '""',
  '"a1"',
  '1e999',
  '-1',
  '{"__proto__":{"polluted":1}}',
  '[[[[null]]]]',
  '"2026-99-99T99:99:99Z"',
  '"\\ud800"',
  '[{"type":"text"},null,7,"x"]',
  `${'['.repeat(600)}${']'.repeat(600)}`,
]

/** A line with a value of another kind in one place, or cut, or gone, or there twice. */
function breakLine(
  line: object,
  how: { readonly place: number; readonly value: string; readonly cut: boolean },
): string {
  const json = JSON.stringify(line)
  if (how.cut) return json.slice(0, how.place % json.length)
  const values = [...json.matchAll(/:(?:"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*|true|false|null|\[\]|\{\})/g)]
  const chosen = values[how.place % Math.max(1, values.length)]
  if (chosen === undefined) return json
  return `${json.slice(0, chosen.index)}:${how.value}${json.slice(chosen.index + chosen[0].length)}`
}

const breaking = fc.record({
  line: fc.nat(20),
  place: fc.nat(10_000),
  value: fc.constantFrom(...HOSTILE),
  cut: fc.boolean(),
  copies: fc.constantFrom(0, 1, 1, 1, 2),
})

test.each(FILES)(
  '22 %s: whatever is wrong with its lines, what is read can be measured and sent',
  async (agent, lines) => {
    await fc.assert(
      fc.asyncProperty(fc.array(breaking, { minLength: 1, maxLength: 6 }), fc.boolean(), async (breaks, isReversed) => {
        const texts = lines.map((line) => [JSON.stringify(line)])
        for (const { line, copies, ...how } of breaks) {
          const place = line % lines.length
          texts[place] = Array<string>(copies).fill(breakLine(lines[place] ?? {}, how))
        }
        const text = (isReversed ? texts.toReversed() : texts).flat().join('\n')
        const { sessions } = await readTextOf(agent, text)
        for (const session of sessions) check(session)
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
      }),
      { numRuns: 150 },
    )
  },
)

test('22 parents that run in a circle end', async () => {
  const [agent, lines] = FILES[0]
  const circle = lines.map((line) => JSON.stringify(line).replace('"parentUuid":"u1"', '"parentUuid":"a4"'))
  expect((await readTextOf(agent, circle.join('\n'))).sessions).toHaveLength(1)
  const pi = createPiLines().map((line) => JSON.stringify(line).replace('"parentId":null', '"parentId":"p5"'))
  expect((await readTextOf('pi', pi.join('\n'))).sessions).toHaveLength(1)
})

/** Entries as a store takes them: numbered, with ids of their own, times that are times, and references that hold. */
function check({ imported, recorded, windowTokens }: AgentSession): void {
  const { entries } = imported
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  for (const entry of entries) {
    expect(Number.isFinite(entry.at) && entry.at >= 0).toBe(true)
    if (entry.type !== 'compaction') continue
    for (const ref of [...entry.carried, ...(entry.firstKept === null ? [] : [entry.firstKept])]) {
      expect(entries[ref.seq - 1]?.id).toBe(ref.id)
      expect(ref.seq).toBeLessThan(entry.seq)
    }
  }
  const figures = [windowTokens, ...[...recorded.values()].flatMap((each) => [each.tokensBefore, each.tokensAfter])]
  expect(figures.every((figure) => figure === null || (Number.isFinite(figure) && figure >= 0))).toBe(true)
  structuredClone(imported)
}
