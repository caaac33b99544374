import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryItems } from '../../testing/arbitrary-conversation.ts'
import { estimateField } from '../../tokens/estimate-message.ts'
import type { FactKind, LedgerFact } from '../../transcript/summary-document.ts'
import { updateLedger } from './ledger.ts'
import { renderLedger } from './render-ledger.ts'

const fact = (kind: FactKind, text: string, more: Partial<LedgerFact> = {}): LedgerFact => ({
  kind,
  text,
  by: 'assistant',
  sources: ['m1'],
  count: 1,
  lastSeq: 1,
  ...more,
})

const LEDGER: readonly LedgerFact[] = [
  fact('figure', '885 lines', { note: 'AgentSession (885 lines' }),
  fact('id', 'ABC-12', { note: 'ticket' }),
  fact('url', 'https://example.com'),
  fact('file-read', '/app/src/b.ts'),
  fact('command', 'npm test', { note: 'failed (exit 1): boom', count: 3 }),
  fact('command', 'npm run build', { note: 'ok' }),
  fact('failure', 'TypeError: x', { note: 'npm test' }),
  fact('decision', 'We use SQLite.', { note: 'user: yes' }),
  fact('file-changed', '/app/src/a.ts', { note: 'edited' }),
  fact('file-changed', '/app/src/c.ts', { note: 'deleted' }),
  fact('open-work', 'write tests', { note: 'todo: in progress' }),
  fact('open-work', 'parse', { note: 'todo: done' }),
  fact('instruction', 'Never push to main.', { by: 'user' }),
  fact('latest-ask', 'And now?', { by: 'user', note: 'answered' }),
  fact('first-ask', 'Fix the bug.', { by: 'user' }),
]

describe('renderLedger', () => {
  test('sections in their order, without a word too many', () => {
    expect(renderLedger(LEDGER, { budgetTokens: 1_000, estimator: 'plain' })).toEqual({
      shown: 14,
      leftOut: 0,
      text: [
        '## First request, word for word\nFix the bug.',
        '## Latest request, word for word (answered)\nAnd now?',
        "## Standing instructions, in the user's words\n- Never push to main.",
        '## Open work\n- write tests (in progress)',
        '## Files changed\n/app/src/: a.ts, c.ts (deleted)',
        '## Decisions\n- We use SQLite. (user: yes)',
        '## Failures\n- TypeError: x (npm test)',
        '## Commands, each in the folder named above it (they went well unless it says otherwise)\nnpm test – failed (exit 1): boom ×3\nnpm run build',
        '## Files read or named\n/app/src/b.ts',
        '## Addresses\nassistant: https://example.com',
        '## Ids\nABC-12 (ticket)',
        '## Figures\nAgentSession (885 lines',
      ].join('\n\n'),
    })
  })

  test('what the context says elsewhere is not said twice', () => {
    const { text, shown } = renderLedger(LEDGER, {
      budgetTokens: 1_000,
      estimator: 'plain',
      besides: 'ABC-12 has 885 lines.',
    })
    expect(text).not.toContain('ABC-12')
    expect(text).not.toContain('885 lines')
    expect(text).toContain('Never push to main.')
    expect(shown).toBe(14)
  })

  test('over the budget asks, instructions and changed files come first, the rest shares, and the last line says so', () => {
    const many = [
      ...LEDGER,
      ...Array.from({ length: 300 }, (_, index) => fact('file-read', `/app/src/read/file-${index}.ts`)),
      ...Array.from({ length: 300 }, (_, index) => fact('id', `ABC-${index + 100}`)),
    ]
    const { text, shown, leftOut } = renderLedger(many, { budgetTokens: 600, estimator: 'plain' })
    for (const must of [
      'Fix the bug.',
      'And now?',
      'Never push to main.',
      '/app/src/: a.ts',
      'npm test',
      '/app/src/read/',
      'ABC-1',
    ])
      expect(text).toContain(must)
    expect(text).toMatch(/\n\n\d+ more facts are not listed here; recall finds them\.$/)
    expect(shown + leftOut).toBe(many.length - 1)
  })

  test('changed files are named by folder, each folder once', () => {
    const changed = Array.from({ length: 60 }, (_, index) =>
      fact('file-changed', `/home/me/projects/app/packages/core/src/file-${index}.ts`, { lastSeq: index }),
    )
    const { text } = renderLedger(changed, { budgetTokens: 900, estimator: 'plain' })
    expect(text).toContain('\n/home/me/projects/app/packages/core/src/: file-59.ts, file-58.ts, ')
    for (let index = 0; index < 60; index += 1) expect(text).toContain(`file-${index}.ts`)
  })

  test('read files are named by folder, one alone with its path', () => {
    const read = Array.from({ length: 60 }, (_, index) =>
      fact('file-read', `/home/me/projects/app/packages/core/src/file-${index}.ts`, { lastSeq: index }),
    )
    const { text, shown } = renderLedger([...read, fact('file-read', 'lib/alone.ts')], {
      budgetTokens: 600,
      estimator: 'plain',
    })
    expect(text).toMatch(/\n\/home\/me\/projects\/app\/packages\/core\/src\/: file-\d+\.ts, /)
    expect(text).toContain('\nlib/alone.ts')
    expect(shown).toBe(61)
  })

  test('a long command is cut before another one is left out', () => {
    const commands = Array.from({ length: 8 }, (_, index) =>
      fact('command', `run-${index} ${'--option '.repeat(20)}`.slice(0, 200), { note: 'ok' }),
    )
    const { text } = renderLedger(commands, { budgetTokens: 400, estimator: 'plain' })
    for (let index = 0; index < 8; index += 1) expect(text).toContain(`\nrun-${index} --option`)
    expect(text).toMatch(/…$/)
  })

  test('commands stand below the folder they ran in', () => {
    const commands = [
      fact('command', 'cd /app && npm test', { count: 4, note: 'ok' }),
      fact('command', 'cd /app/web && npm run build', { note: 'failed (exit 2)' }),
      fact('command', 'cd /app && npm run lint', { note: 'ok' }),
      fact('command', 'git status', { note: 'ok' }),
    ]
    const { text } = renderLedger(commands, { budgetTokens: 400, estimator: 'plain' })
    expect(text.split('\n').slice(1)).toEqual([
      'git status',
      'cd /app &&',
      'npm test ×4',
      'npm run lint',
      'cd /app/web &&',
      'npm run build – failed (exit 2)',
    ])
  })

  test('no kind has notes while another is short of room for its facts', () => {
    const facts = [
      ...Array.from({ length: 40 }, (_, index) =>
        fact('id', `ABC-${index}`, { note: `a long note on ticket ${index}` }),
      ),
      ...Array.from({ length: 40 }, (_, index) => fact('url', `https://example.com/${index}`)),
    ]
    const { text, leftOut } = renderLedger(facts, { budgetTokens: 560, estimator: 'plain' })
    expect(leftOut).toBe(0)
    expect(text).toContain('a long note')
  })

  test('asks between the first and the latest, newest first', () => {
    const asks = [
      fact('first-ask', 'Fix the bug.', { by: 'user', lastSeq: 1 }),
      fact('latest-ask', 'And now?', { by: 'user', lastSeq: 90 }),
      fact('ask', 'Fix the bug.', { by: 'user', lastSeq: 1 }),
      fact('ask', 'Rename the parser.', { by: 'user', lastSeq: 20 }),
      fact('ask', 'Write a test for it.', { by: 'user', lastSeq: 40 }),
      fact('ask', 'And now?', { by: 'user', lastSeq: 90 }),
    ]
    const { text } = renderLedger(asks, { budgetTokens: 400, estimator: 'plain' })
    expect(text).toMatch(/\n## Asked before, newest first\n- Write a test for it\.\n- Rename the parser\.$/)
  })

  test('earlier asks take what no other kind needs, and share with those that do', () => {
    const asks = Array.from({ length: 50 }, (_, index) =>
      fact('ask', `Please change place number ${index} in the parser as we said`, { by: 'user', lastSeq: index }),
    )
    const commands = Array.from({ length: 50 }, (_, index) => fact('command', `npm run check -- --only part-${index}`))
    const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length
    const alone = renderLedger(asks, { budgetTokens: 1_000, estimator: 'plain' })
    expect(count(alone.text, /place number/g)).toBe(50)
    const { text } = renderLedger([...asks, ...commands], { budgetTokens: 600, estimator: 'plain' })
    expect(text).toContain('number 49')
    expect(count(text, /place number/g)).toBeLessThan(20)
    expect(count(text, /npm run check/g)).toBeGreaterThan(30)
  })

  test('what was said and done comes before what was printed once, across the kinds', () => {
    const commands = Array.from({ length: 20 }, (_, index) => fact('command', `npm test -- part-${index}`))
    const printed = Array.from({ length: 300 }, (_, index) =>
      fact('file-read', `/app/src/listed-${index}.ts`, { by: 'tool', note: 'mentioned', lastSeq: 100 }),
    )
    const twice = fact('file-read', '/app/lib/twice.ts', { by: 'tool', note: 'mentioned', count: 2 })
    const { text, leftOut } = renderLedger([...commands, ...printed, twice], { budgetTokens: 500, estimator: 'plain' })
    for (const { text: command } of commands) expect(text).toContain(`\n${command}`)
    expect(text).toContain('/app/lib/twice.ts')
    expect(text).toContain('listed-')
    expect(leftOut).toBeGreaterThan(200)
  })

  test('a long ask is shortened, not left out', () => {
    const ask = fact('first-ask', `BEGIN ${'words '.repeat(600)} END`)
    const { text } = renderLedger([ask], { budgetTokens: 400, estimator: 'plain' })
    expect(text).toContain('BEGIN')
    expect(text).toContain('END')
    expect(text).toContain('characters left out')
  })

  test('never over the budget, always the same, for any ledger', () => {
    fc.assert(
      fc.property(
        arbitraryItems(),
        fc.integer({ min: -10, max: 3_000 }),
        fc.constantFrom('plain', 'classes'),
        (span, budgetTokens, estimator) => {
          const ledger = updateLedger([], span)
          const rendered = renderLedger(ledger, { budgetTokens, estimator })
          expect(estimateField(rendered.text, estimator)).toBeLessThanOrEqual(Math.max(0, budgetTokens))
          expect(rendered.shown + rendered.leftOut).toBeLessThanOrEqual(ledger.length)
          expect(renderLedger(ledger.toReversed(), { budgetTokens, estimator })).toEqual(rendered)
        },
      ),
    )
  })
})
