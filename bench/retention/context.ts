import { outputText } from '@longhaul/engine'
import type { JsonValue, Part, View } from '@longhaul/engine'
import type { Fact } from './facts/fact.ts'
import { foldText, includesWord } from './fold-text.ts'

/** What one request would show the model, as text. */
export interface Context {
  /** Messages of the conversation that are still sent, in whatever form. */
  readonly kept: readonly Piece[]
  /** All that stands in for the others, and the system prompt. */
  readonly beside: readonly Piece[]
}

export interface Piece {
  readonly folded: string
  readonly lines: readonly string[]
  readonly known: Map<Fact, boolean>
}

/** By the list of parts: a message that is sent as it was stored shares its list with the stored one, in every run. */
const pieces = new WeakMap<readonly Part[], Piece>()

export function readContext({ items }: View, system: string | null): Context {
  return {
    kept: items.filter(({ kind }) => isMessage(kind)).map(({ message }) => pieceOf(message.parts)),
    beside: [
      ...(system === null ? [] : [createPiece(system)]),
      ...items.filter(({ kind }) => !isMessage(kind)).map(({ message }) => pieceOf(message.parts)),
    ],
  }
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

export function holdsText({ kept, beside }: Context, needle: string, isCut: boolean): boolean {
  return [...beside, ...kept].some(({ folded }) => includesWord(folded, needle, isCut))
}

function isMessage(kind: View['items'][number]['kind']): boolean {
  return kind === 'user' || kind === 'assistant' || kind === 'tool'
}

function isIn({ folded, lines }: Piece, { needles, isCut, lineNeedles }: Fact): boolean {
  if (needles.some((needle) => includesWord(folded, needle, isCut))) return true
  if (lineNeedles.length === 0 || !lineNeedles.every((needle) => folded.includes(needle))) return false
  return lines.some((line) => lineNeedles.every((needle) => includesWord(line, needle)))
}

export function pieceOf(parts: readonly Part[]): Piece {
  const known = pieces.get(parts)
  if (known !== undefined) return known
  const piece = createPiece(parts.map(partText).join('\n'))
  pieces.set(parts, piece)
  return piece
}

function createPiece(text: string): Piece {
  return { folded: foldText(text), lines: text.toLowerCase().split('\n'), known: new Map() }
}

/** Inputs as their plain strings: escaped JSON would hide what has quotes or line breaks in it. */
function partText(part: Part): string {
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
