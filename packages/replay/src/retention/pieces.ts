import { outputText } from '@longhaul/engine/advanced'
import type { JsonValue, Part } from '@longhaul/engine/advanced'
import type { Fact } from './facts/fact.ts'
import { foldText, includesWord } from './fold-text.ts'

/** One message of a request, or what stands in for some, as text in which facts are looked for. */
export interface Piece {
  readonly folded: string
  readonly lines: readonly string[]
  readonly known: Map<Fact, boolean>
}

/** By the list of parts: a message that is sent as it was stored shares its list with the stored one, in every run. */
const pieces = new WeakMap<readonly Part[], Piece>()

export function pieceOf(parts: readonly Part[]): Piece {
  const known = pieces.get(parts)
  if (known !== undefined) return known
  const piece = createPiece(parts.map(partText).join('\n'))
  pieces.set(parts, piece)
  return piece
}

export function createPiece(text: string): Piece {
  return { folded: foldText(text), lines: text.toLowerCase().split('\n'), known: new Map() }
}

export function holdsFact(among: readonly Piece[], fact: Fact): boolean {
  return among.some((piece) => {
    const known = piece.known.get(fact)
    if (known !== undefined) return known
    const isThere = isIn(piece, fact)
    piece.known.set(fact, isThere)
    return isThere
  })
}

/** Whether folded words stand in one of the pieces. `isCut`: they are the beginning of something longer. */
export function holdsWords(among: readonly Piece[], needle: string, isCut: boolean): boolean {
  return among.some(({ folded }) => includesWord(folded, needle, isCut))
}

function isIn({ folded, lines }: Piece, { needles, isCut, lineNeedles }: Fact): boolean {
  if (needles.some((needle) => includesWord(folded, needle, isCut))) return true
  if (lineNeedles.length === 0 || !lineNeedles.every((needle) => folded.includes(needle))) return false
  return lines.some((line) => lineNeedles.every((needle) => includesWord(line, needle)))
}

/** Inputs as their plain strings: escaped JSON would hide what has quotes or line breaks in it. */
export function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'tool-call':
      return `${part.toolName}\n${leavesOf(part.input).join('\n')}`
    case 'tool-result':
      return outputText(part.output)
    case 'reasoning':
    case 'image':
    case 'file':
      return ''
    default:
      return part satisfies never
  }
}

function leavesOf(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap((inner) => leavesOf(inner))
  return [String(value)]
}
