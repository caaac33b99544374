import { blankComments } from '../arrows/read-imports.ts'

/** A regular expression as it is written: behind what can stand before a value, up to the slash that ends it. */
const LITERAL =
  /(?<=[(,=:?&|![{;\s]|^|return|=>)\/(?![/*\s])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/[dgimsuvy]*(?=[\s.,;)\]}:]|$)/gm
const UNBOUNDED = /(?<!\\)(?:[*+]|\{\d+,\})/

/** The regular expressions of a source text that may read on without a bound; also each `new RegExp`, whose text is made. */
export function findOpenPatterns(source: string): readonly string[] {
  const text = blankComments(source)
  const literals = [...text.matchAll(LITERAL)]
    .map(([, pattern = '']) => pattern)
    .filter((pattern) => UNBOUNDED.test(pattern))
  return [...literals, ...(text.match(/new RegExp\(/g) ?? [])]
}
