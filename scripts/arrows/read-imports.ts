export interface Import {
  readonly specifier: string
  readonly line: number
  /** `import type …` or `export type …`; a clause that mixes types and values counts as values. */
  readonly isTypeOnly: boolean
  readonly isReExport: boolean
}

const clause = String.raw`(?:[\w$]+\s*,?\s*)?(?:\*(?:\s*as\s+[\w$]+)?|\{[^{}]*\})?`
// The formatter puts every static import at the start of a line, so text in strings and comments is not mistaken for one.
const staticImport = new RegExp(String.raw`^(import|export)\s+(type\s+)?(?:${clause}\s*from\s+)?['"]([^'"]+)['"]`, 'gm')
const dynamicImport = /\bimport\(\s*['"]([^'"]+)['"]/g

/** Every module a source text names: static imports, re-exports, `import('…')` as a call or as a type. */
export function readImports(text: string): Import[] {
  const code = blankComments(text)
  const imports: Import[] = []
  for (const match of code.matchAll(staticImport)) {
    const [, keyword, typeWord, specifier = ''] = match
    imports.push({
      specifier,
      line: lineAt(code, match.index),
      isTypeOnly: typeWord !== undefined,
      isReExport: keyword === 'export',
    })
  }
  for (const match of code.matchAll(dynamicImport)) {
    const [, specifier = ''] = match
    imports.push({ specifier, line: lineAt(code, match.index), isTypeOnly: false, isReExport: false })
  }
  return imports.toSorted((a, b) => a.line - b.line)
}

/** Comments become spaces, so that lines keep their numbers. A `//` or `/*` inside a word (URL, glob) starts no comment. */
export function blankComments(text: string): string {
  return text.replaceAll(/(?<=^|\s)(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*)/g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
