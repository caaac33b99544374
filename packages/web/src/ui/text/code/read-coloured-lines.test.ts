import { describe, expect, it } from 'vitest'
import { colourCode } from './colour-code.ts'
import { readColouredLines } from './read-coloured-lines.ts'

const textOf = (lines: ReturnType<typeof readColouredLines> | null): string | undefined =>
  lines?.map((line) => line.map(({ content }) => content).join('')).join('\n')

describe('coloured code', () => {
  it('takes the innermost class, and escapes stay in their token', () => {
    expect(
      readColouredLines(
        '<span class="hljs-string">&quot;a <span class="hljs-subst">&lt;b&gt;</span>&#x27;&amp;</span>;',
      ),
    ).toEqual([
      [
        { content: '"a ', className: 'hljs-string' },
        { content: '<b>', className: 'hljs-subst' },
        { content: "'&", className: 'hljs-string' },
        { content: ';' },
      ],
    ])
  })

  it('a comment over several lines colours each of them, and empty lines stay', () => {
    expect(readColouredLines('<span class="hljs-comment">/* one\n\n two */</span>\n')).toEqual([
      [{ content: '/* one', className: 'hljs-comment' }],
      [],
      [{ content: ' two */', className: 'hljs-comment' }],
      [],
    ])
  })

  it.each([
    ['ts', 'const a: Map<string, "x" | \'y\'> = new Map() // a && b\n\nreturn `${a}`', 'hljs-keyword'],
    ['html', '<p class="a">&amp; <script>let x = 1 < 2</script></p>', 'hljs-tag'],
    ['python', 'def f(x):\n    """<b>"""\n    return x', 'hljs-keyword'],
    ['diff', '- a\n+ <b>', 'hljs-addition'],
    ['toml', '[a]\nb = "c"', 'hljs-attr'],
  ])('of %s not a letter is lost', (language, code, className) => {
    const lines = colourCode(code, language)
    expect(textOf(lines)).toBe(code)
    expect(lines?.flat().map((token) => token.className)).toContain(className)
  })

  it('says so where it does not know the language', () => {
    expect(colourCode('mov ax, 1', 'asm68000')).toBeNull()
  })
})
