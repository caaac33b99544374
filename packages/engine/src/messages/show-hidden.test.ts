import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { showHidden, showPrinted } from './show-hidden.ts'

describe('showHidden', () => {
  test.each([
    ['a bidi override', 'rm \u202Etxt.exe', 'rm ⟨U+202E⟩txt.exe'],
    ['isolates', '\u2066a\u2069', '⟨U+2066⟩a⟨U+2069⟩'],
    ['a zero-width space', 'r\u200Bm', 'r⟨U+200B⟩m'],
    ['a byte order mark', '\uFEFFls', '⟨U+FEFF⟩ls'],
    ['several in a row, with their number', 'a\u200B\u200B\u200Bb', 'a⟨U+200B ×3⟩b'],
    ['an escape sequence', '\u001B]0;title\u0007', '⟨U+001B⟩]0;title⟨U+0007⟩'],
    ['a C1 control', '\u009B2J', '⟨U+009B⟩2J'],
    ['a carriage return that overwrites a line', 'rm -rf /\rls', 'rm -rf /⟨U+000D⟩ls'],
    ['a backspace and a delete', 'a\b\u007F', 'a⟨U+0008⟩⟨U+007F⟩'],
    ['tag characters', 'ok\u{E0041}', 'ok⟨U+E0041⟩'],
    ['a variation selector after a letter', 'a\uFE0F', 'a⟨U+FE0F⟩'],
    ['a filler that looks like a space', 'a\u3164b', 'a⟨U+3164⟩b'],
    ['an unusual space', 'a\u2003b', 'a⟨U+2003⟩b'],
    ['lone surrogates', '\uD800x\uDC00', '⟨U+D800⟩x⟨U+DC00⟩'],
    ['line and paragraph separators', 'a\u2028b\u2029', 'a⟨U+2028⟩b⟨U+2029⟩'],
    ['a joiner beside a letter', 'a\u200D👩', 'a⟨U+200D⟩👩'],
  ])('shows %s', (_what, text, shown) => {
    expect(showHidden(text)).toBe(shown)
  })

  test.each([
    'plain text, with a tab\tand a line\nfeed',
    'naïve café, 漢字　かな, e\u0301',
    'a\u00A0b',
    '👨‍👩‍👧 👍🏽 ❤️ ☎︎ 1️⃣ 🇩🇪',
    '𝒜 😀',
  ])('leaves alone what can be seen: %j', (text) => {
    expect(showHidden(text)).toBe(text)
  })

  test('a line break of two characters is one line break', () => {
    expect(showHidden('a\r\nb')).toBe('a\nb')
  })

  test('what it returns hides nothing, and stays as it is when it is shown again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = showHidden(text)
        expect(showHidden(shown)).toBe(shown)
        // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
        expect(shown).not.toMatch(/[\u200B\u202A-\u202E\u2060-\u2069\u001B\u0000]/)
      }),
    )
  })
})

describe('showPrinted', () => {
  test('leaves colours out, and shows every other escape sequence', () => {
    expect(showPrinted('\u001B[1;31mred\u001B[0m \u001B[2J')).toBe('red ⟨U+001B⟩[2J')
  })
})
