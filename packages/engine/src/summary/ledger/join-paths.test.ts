import { describe, expect, test } from 'vitest'
import type { LedgerFact } from '../../transcript/summary-document.ts'
import { joinPaths } from './join-paths.ts'

function file(text: string, fields: Partial<LedgerFact> = {}): LedgerFact {
  return { kind: 'file-read', text, by: 'tool', sources: [text], count: 1, lastSeq: 1, ...fields }
}

const namesOf = (...facts: readonly LedgerFact[]) => joinPaths(facts).map(({ text }) => text)

describe('joinPaths', () => {
  test.each([['src/core/a.ts'], ['./core/a.ts'], ['../src/core/a.ts'], ['../../core/a.ts'], ['./a.ts']])(
    '%s is the file that is known by its whole path',
    (spelling) => {
      const [joined, ...others] = joinPaths([file('/home/ada/app/src/core/a.ts'), file(spelling)])
      expect(others).toEqual([])
      expect(joined).toMatchObject({ text: '/home/ada/app/src/core/a.ts', count: 2 })
    },
  )

  test('a name that two files end in stays as it is', () => {
    const facts = [file('/app/src/index.ts'), file('/app/test/index.ts'), file('../index.ts')]
    expect(namesOf(...facts)).toEqual(['/app/src/index.ts', '/app/test/index.ts', '../index.ts'])
  })

  test('known only as seen from some folder, it is listed once, with most of its way', () => {
    expect(namesOf(file('./theme.js'), file('../theme.js'), file('../../theme/theme.js'))).toEqual([
      '../../theme/theme.js',
    ])
  })

  test('what happened to a file of another folder is not said of this one', () => {
    const facts = [file('/app/src/a.ts'), file('../a.ts', { kind: 'file-changed', note: 'deleted' })]
    expect(joinPaths(facts)).toEqual(facts)
  })

  test('a file that was changed is listed as changed only', () => {
    const facts = [file('/app/src/a.ts', { kind: 'file-changed', note: 'created' }), file('./a.ts')]
    expect(joinPaths(facts)).toMatchObject([{ kind: 'file-changed', text: '/app/src/a.ts', note: 'created', count: 2 }])
  })
})
