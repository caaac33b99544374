import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryText } from '../testing/arbitrary-conversation.ts'
import { CHANGE_FORMAT, type DocumentChange, parseChanges } from './change-lines.ts'

const add = (section: string, text: string, ...references: string[]): DocumentChange => ({
  action: 'add',
  section,
  text,
  references,
})
const update = (id: string, text: string, ...references: string[]): DocumentChange => ({
  action: 'update',
  id,
  text,
  references,
  line: expect.any(String) as string,
})
const close = (id: string): DocumentChange => ({ action: 'close', id, line: expect.any(String) as string })

describe('parseChanges', () => {
  test('the format as the prompt states it', () => {
    expect(parseChanges(CHANGE_FORMAT).slice(0, 3)).toEqual([
      add('Section', 'new point', '#12', '#15'),
      update('id', 'the point as it reads now', '#20'),
      close('id'),
    ])
  })

  test.each([
    ['+ Decisions: We use SQLite.', [add('Decisions', 'We use SQLite.')]],
    ['- + Decisions: We use SQLite.', [add('Decisions', 'We use SQLite.')]],
    ['1. + [Open work] Write the docs (#3)', [add('', '[Open work] Write the docs', '#3')]],
    ['+ [Open work]: Write the docs', [add('Open work', 'Write the docs')]],
    ['+ **Files**: a.ts changed', [add('Files', 'a.ts changed')]],
    ['ADD Decisions: We use X', [add('Decisions', 'We use X')]],
    ['+ just a point', [add('', 'just a point')]],
    ['~ i3: new words', [update('i3', 'new words')]],
    ['* ~ [i3]: new words (sources: #1, #2)', [update('i3', 'new words', '#1', '#2')]],
    ['UPDATE `i3` -> new words', [update('i3', 'new words')]],
    ['- [i3] [done] The point as it was', [update('i3', 'The point as it was')]],
    ['x i3', [close('i3')]],
    ['x [i3] – done in m7', [close('i3')]],
    ['[x] i3', [close('i3')]],
    ['Close: i3', [close('i3')]],
    ['✓ i3', [close('i3')]],
    ['+ 决定：使用 SQLite（#3）', [add('决定', '使用 SQLite（#3）')]],
  ])('%s', (line, expected) => {
    expect(parseChanges(line)).toEqual(expected)
  })

  test('passes over a preamble, fences and a farewell', () => {
    const reply = 'Here are the changes:\n\n```\n+ A: one\n~ i2: two\n```\n\nLet me know if you need more.'
    expect(parseChanges(reply)).toEqual([add('A', 'one'), update('i2', 'two')])
  })

  test('a line that is not set off continues the change before it', () => {
    expect(parseChanges('+ A: one\n  and more (#4)\n+ B: two')).toEqual([
      add('A', 'one and more', '#4'),
      add('B', 'two'),
    ])
  })

  test('lists under headings are additions to them', () => {
    expect(parseChanges('## Decisions\n- We use X\n- We keep Y (#2)\n\n**Next:**\n1. Test')).toEqual([
      add('Decisions', 'We use X'),
      add('Decisions', 'We keep Y', '#2'),
      add('Next', 'Test'),
    ])
  })

  test('a bracket at the end is not always a reference', () => {
    expect(parseChanges('+ A: it broke (again)')).toEqual([add('A', 'it broke (again)')])
    expect(parseChanges('+ A: it broke (2024)')).toEqual([add('A', 'it broke (2024)')])
  })

  test.each([
    'The user wanted a parser. It was written.',
    '',
    'x marks the spot where nothing: happens',
    '我们完成了任务。',
  ])('prose is no list of changes: %j', (prose) => {
    expect(parseChanges(prose)).toEqual([])
  })

  test('reads anything without throwing, and fast', () => {
    fc.assert(
      fc.property(fc.array(arbitraryText()), (lines) => {
        expect(Array.isArray(parseChanges(lines.join('\n')))).toBe(true)
      }),
    )
    const slow: string[] = []
    for (const unit of ['+ ', '+ a: (', '- ', '(#1 ', '~ a', '**', '# ', 'x ']) {
      const started = performance.now()
      parseChanges(unit.repeat(50_000))
      if (performance.now() - started > 1_000) slow.push(unit)
    }
    expect(slow).toEqual([])
  })
})
