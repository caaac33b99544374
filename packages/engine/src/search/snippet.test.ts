import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readQuery } from './read-query.ts'
import { makeSnippet } from './snippet.ts'

const snippet = (text: string, query: string) => makeSnippet(text, readQuery(query))

describe('makeSnippet', () => {
  it('shows a short text whole, on one line', () => {
    expect(snippet('The  key is\n\tunder the mat.', 'key')).toBe('The key is under the mat.')
  })

  it('shows the words around a match far into the text, and that there is more', () => {
    const text = `${'before '.repeat(500)}the key is here ${'after '.repeat(500)}`
    expect(snippet(text, 'key')).toMatch(/^… .*before the key is here after.* …$/)
  })

  it('shows the place where most of the query stands', () => {
    const text = `a ferry. ${'x '.repeat(300)} the ferry leaves the harbour at noon. ${'x '.repeat(300)} a harbour.`
    expect(snippet(text, 'ferry harbour noon')).toContain('the ferry leaves the harbour at noon')
  })

  it('shows the match in a text without spaces', () => {
    const text = `${'前文は長い。'.repeat(500)}鍵は植木鉢の下です。${'後文も長い。'.repeat(500)}`
    expect(snippet(text, '植木鉢')).toContain('鍵は植木鉢の下です')
  })

  it('knows a word by its accents, case and start', () => {
    const text = `${'x '.repeat(300)}he was RUNNING to the Café ${'x '.repeat(300)}`
    expect(snippet(text, 'cafe')).toContain('Café')
    expect(snippet(text, 'runn')).toContain('RUNNING')
  })

  it('shows the start where nothing is found, or only far away', () => {
    expect(snippet(`start ${'x '.repeat(300)}`, 'absent')).toMatch(/^start x x .* …$/)
    expect(snippet(`start ${'x '.repeat(50_000)} key`, 'key')).toMatch(/^start /)
    expect(snippet('', 'key')).toBe('')
  })

  it('is short and whole characters, whatever the text', () => {
    const unit = fc.constantFrom('🦊', 'key', ' ', 'ключ', '鍵', '\ud800', '\n', 'x')
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 400 }), (pieces) => {
        const shown = snippet(pieces.join(''), 'key 鍵 ключ')
        expect(shown.isWellFormed()).toBe(true)
        expect(shown.length).toBeLessThanOrEqual(204)
        expect(shown).not.toMatch(/[\n\t]/)
      }),
    )
    expect(snippet(`${'🦊'.repeat(200)} key ${'🦊'.repeat(200)}`, 'key')).not.toContain('\ufffd')
  })
})
