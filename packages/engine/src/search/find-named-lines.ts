import { linesOf } from './find-relevant-lines.ts'
import type { FindLinesInput, RelevantLine } from './find-relevant-lines.ts'
import { recallTerms } from './recall-terms.ts'
import type { WordIndex } from './word-index.ts'

export interface FindNamedInput extends FindLinesInput {
  /** The messages that ask, which name things by themselves. */
  readonly asking: ReadonlySet<number>
  /** Whether anything else that the request shows has it. */
  readonly isNamedElsewhere: (name: string) => boolean
}

/** Something in more messages than this is no rare thing. */
const MAX_HOLDERS = 5
const MAX_NAMES = 4
const MAX_QUERY_CHARS = 4_000
const NAME = /[\p{L}\p{N}_$#/][\p{L}\p{N}_./-]{2,80}[\p{L}\p{N}_]/gu

/** The newest line about each thing that the query names, such as a code, a path or a function, and that nothing else in the request has. */
export async function findNamedLines({
  index,
  query,
  readAt,
  beforeSeq,
  asking,
  isNamedElsewhere,
}: FindNamedInput): Promise<readonly RelevantLine[]> {
  const lines: RelevantLine[] = []
  for (const name of namesIn(query.slice(-MAX_QUERY_CHARS))) {
    if (lines.length >= MAX_NAMES) break
    const seq = findHolder(name, { index, beforeSeq, asking })
    if (seq === null || isNamedElsewhere(name)) continue
    const [entry] = await readAt([seq])
    if (entry === undefined) continue
    const line = linesOf(entry).find(({ text }) => standsIn(text, name))
    if (line !== undefined) lines.push({ entry, text: line.text, score: index.weigh(rarestTerm(name, index) ?? '') })
  }
  return lines
}

/** Each once, in their order; a path also by the name of its file. */
export function namesIn(text: string): readonly string[] {
  const names = Array.from(text.matchAll(NAME), ([name]) => [name, ...fileNamesOf(name)])
  return [...new Set(names.flat())].filter(isName)
}

function fileNamesOf(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? [name, name.slice(0, dot)] : [name]
}

/** Nobody writes these by chance: letters with digits, underscores, capitals inside, folders. */
function isName(name: string): boolean {
  return (
    (/\p{L}/u.test(name) && /\p{N}/u.test(name) && name.length >= 5) ||
    /[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(name) ||
    /\p{Ll}\p{Lu}/u.test(name) ||
    /[\p{L}\p{N}]\/[\p{L}\p{N}]+[./_-]/u.test(name)
  )
}

/** The newest earlier message that has all of a rare name; null: there is none, or the request has it anyway. */
function findHolder(
  name: string,
  { index, beforeSeq, asking }: Pick<FindNamedInput, 'index' | 'beforeSeq' | 'asking'>,
): number | null {
  const rarest = rarestTerm(name, index)
  const holders = (rarest === null ? [] : index.holders(rarest)).filter((seq) => !asking.has(seq))
  if (holders.length === 0 || holders.length > MAX_HOLDERS) return null
  const newest = holders.at(-1)
  return newest === undefined || newest >= beforeSeq ? null : newest
}

function rarestTerm(name: string, index: WordIndex): string | null {
  const terms = recallTerms(name)
  return terms.reduce<string | null>(
    (rarest, term) => (rarest === null || index.holders(term).length < index.holders(rarest).length ? term : rarest),
    null,
  )
}

function standsIn(text: string, name: string): boolean {
  const at = text.indexOf(name)
  if (at < 0) return false
  const [before, after] = [text[at - 1] ?? ' ', text[at + name.length] ?? ' ']
  return !/[\p{L}\p{N}_]/u.test(before) && !/[\p{L}\p{N}_]/u.test(after)
}
