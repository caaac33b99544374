import { isStanding } from '@longhaul/engine/advanced'
import type { MemoryChunk, MemoryKind } from '@longhaul/store/port'
import { FOREIGN_MARK, INSTRUCTION_MARK, isBullet, isForeignNote, withoutBullet } from './note-marks.ts'

const MAX_CHUNK_CHARS = 2_000

/** A bullet or a paragraph of a memory file, or a part of one that is too long to be found as one. */
interface Piece {
  /** Counted from 1. */
  readonly line: number
  readonly lines: string[]
  /** The mark at its start holds for all of its lines, and for the parts that follow. */
  readonly isForeign: boolean
  readonly continues: boolean
}

/** A memory file as what can be found in it: each bullet or paragraph is one piece, under the kind its words show. */
export function splitNotes(text: string): readonly MemoryChunk[] {
  return readPieces(text).map(({ line, lines, isForeign, continues }) => {
    const words = lines.join('\n')
    const piece = (isForeign && continues ? `${FOREIGN_MARK}${words}` : words).slice(0, MAX_CHUNK_CHARS)
    return { kind: kindOf(piece), line, text: piece }
  })
}

/** The numbers of the lines, counted from 1, that are marked as not from the user. */
export function listForeignLines(text: string): readonly number[] {
  return readPieces(text).flatMap(({ line, lines, isForeign }) =>
    isForeign ? lines.map((_, index) => line + index) : [],
  )
}

export interface DividedNotes {
  /** The owner's and the user's, as they stand in the file. */
  readonly own: string
  /** Those marked as not from the user; empty: there are none. */
  readonly foreign: string
}

/** A memory file, or some of its lines, with the marked notes taken out of the others. */
export function divideNotes(
  text: string,
  lines: { readonly from: number; readonly count: number } = ALL,
): DividedNotes {
  const foreign = new Set(listForeignLines(text))
  const chosen = text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .slice(lines.from - 1, lines.from - 1 + lines.count)
  const join = (isForeign: boolean): string =>
    chosen.flatMap(({ line, number }) => (foreign.has(number) === isForeign ? [line] : [])).join('\n')
  return { own: join(false), foreign: join(true) }
}

const ALL = { from: 1, count: Infinity }

function readPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let isOpen = false
  let chars = 0
  for (const [index, line] of text.split('\n').entries()) {
    const words = line.trim()
    if (words === '' || /^#{1,6}\s/.test(line)) {
      isOpen = false
      continue
    }
    const last = isOpen && !isBullet(line) ? pieces.at(-1) : undefined
    isOpen = true
    chars += words.length + 1
    if (last !== undefined && chars <= MAX_CHUNK_CHARS) {
      last.lines.push(words)
      continue
    }
    const isForeign = last?.isForeign ?? isForeignNote(words)
    pieces.push({ line: index + 1, lines: [words], isForeign, continues: last !== undefined })
    chars = words.length
  }
  return pieces
}

function kindOf(text: string): MemoryKind {
  const bare = withoutBullet(text)
  if (isInstruction(bare)) return 'instruction'
  return bare === text ? 'note' : 'fact'
}

function isInstruction(bare: string): boolean {
  if (isForeignNote(bare)) return false
  return bare.startsWith(INSTRUCTION_MARK) || bare.split('\n').some(isStanding)
}
