import type { FactKind, LedgerFact } from '../transcript/summary-document.ts'
import { splitFolder } from './facts/command-folder.ts'
import { KIND_ORDER } from './ledger/rank-facts.ts'

export interface Coverage {
  /** 0 to 1: the mean of the kinds that occur, so that a hundred file names do not outvote one instruction. */
  readonly score: number
  readonly byKind: Readonly<Record<FactKind, { readonly present: number; readonly total: number }>>
  readonly missing: readonly LedgerFact[]
}

/** Part of the words of an ask, instruction, decision or failure that must come back for it to count as told. */
const TOLD_SHARE = 0.7
/** A command counts as told by its beginning, wherever it ran; what follows is mostly where output goes. */
const COMMAND_CHARS = 60

/** How much of the facts a text holds. Names count word for word (a file also by its last name), sentences by their words. */
export function scoreCoverage(facts: readonly LedgerFact[], text: string): Coverage {
  const index = createIndex(text)
  const counts = Object.fromEntries(KIND_ORDER.map((kind) => [kind, { present: 0, total: 0 }])) as Record<
    FactKind,
    { present: number; total: number }
  >
  const missing: LedgerFact[] = []
  for (const fact of facts) {
    const count = counts[fact.kind]
    count.total += 1
    if (isPresent(fact, index)) count.present += 1
    else missing.push(fact)
  }
  const shares = Object.values(counts).flatMap(({ present, total }) => (total === 0 ? [] : [present / total]))
  const score = shares.length === 0 ? 1 : shares.reduce((sum, share) => sum + share, 0) / shares.length
  return { score, byKind: counts, missing }
}

interface TextIndex {
  readonly text: string
  readonly words: ReadonlySet<string>
}

function createIndex(text: string): TextIndex {
  return { text: normalise(text), words: new Set(wordsOf(text)) }
}

function isPresent({ kind, text }: LedgerFact, index: TextIndex): boolean {
  switch (kind) {
    case 'file-changed':
    case 'file-read':
      return index.text.includes(normalise(baseName(text)))
    case 'command':
      return index.text.includes(normalise(splitFolder(text).command).slice(0, COMMAND_CHARS))
    case 'url':
    case 'id':
    case 'figure':
      return index.text.includes(normalise(text))
    case 'first-ask':
    case 'latest-ask':
    case 'ask':
    case 'instruction':
    case 'decision':
    case 'open-work':
    case 'failure':
      return index.text.includes(normalise(text)) || shareOfWords(text, index) >= TOLD_SHARE
    default:
      return kind satisfies never
  }
}

function shareOfWords(text: string, { words }: TextIndex): number {
  const wanted = [...new Set(wordsOf(text.slice(0, 2_000)))]
  return wanted.length === 0 ? 1 : wanted.filter((word) => words.has(word)).length / wanted.length
}

function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[*`_"'’“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Longer words carry the meaning; of CJK text each pair of characters counts as one. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return words.flatMap((word) => (/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(word) ? pairsOf(word) : [word]))
}

function pairsOf(word: string): readonly string[] {
  return Array.from({ length: word.length - 1 }, (_, index) => word.slice(index, index + 2))
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1) || path
}
