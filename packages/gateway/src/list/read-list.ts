import { endOfValue, walkElements } from '../json/scan-json.ts'
import type { Span } from '../json/scan-json.ts'
import type { ReadElement, Segment, ToolNames, Wire } from '../wires/wire.ts'
import { createPiece } from './piece.ts'
import type { Piece } from './piece.ts'

interface ListElement extends ReadElement {
  readonly length: number
}

/** A client's list, as one of its requests had it. */
export interface ClientList {
  readonly text: string
  readonly span: Span
  /** OpenAI's `input` may be a bare string. */
  readonly isString: boolean
  readonly starts: readonly number[]
  readonly elements: readonly ListElement[]
  readonly pieces: readonly Piece[]
  /** The pieces that are part of the conversation. */
  readonly said: readonly Piece[]
  readonly names: ToolNames
}

export interface ListInput {
  readonly text: string
  readonly span: Span
  readonly wire: Wire
  /** The list of an earlier request: elements whose bytes stand there at the same place are not read again. */
  readonly previous: ClientList | null
}

export function readList({ text, span, wire, previous }: ListInput): ClientList {
  const starts: number[] = []
  const elements: ListElement[] = []
  const names: ToolNames = new Map(previous?.names)
  const isString = text[span.start] === '"'
  const visit = (at: number, index: number): number => {
    const known = findKnown(text, at, index, previous)
    const end = known === null ? endOfValue(text, at) : at + known.length
    starts.push(at)
    elements.push(known ?? { ...wire.readElement(text.slice(at, end), names), length: end - at })
    return end
  }
  if (isString) visit(span.start, 0)
  else walkElements(text, span.start, visit)
  const pieces = joinPieces(elements, previous)
  return { text, span, isString, starts, elements, pieces, said: pieces.filter(({ hash }) => hash !== null), names }
}

/** How many elements at the start of a list have the same bytes as those of an earlier one. Reads nothing. */
export function countShared(text: string, span: Span, earlier: ClientList): number {
  let shared = 0
  if (text[span.start] !== '[') return 0
  try {
    walkElements(text, span.start, (at, index) => {
      const known = findKnown(text, at, index, earlier)
      if (known === null) throw DIFFERS
      shared += 1
      return at + known.length
    })
  } catch (error) {
    if (error !== DIFFERS) throw error
  }
  return shared
}

const DIFFERS = new Error('The lists differ from here on.')

function findKnown(text: string, at: number, index: number, previous: ClientList | null): ListElement | null {
  const known = previous?.elements[index]
  if (previous === null || known === undefined) return null
  const start = previous.starts[index] as number
  return text.startsWith(previous.text.slice(start, start + known.length), at) ? known : null
}

function joinPieces(elements: readonly ListElement[], previous: ClientList | null): readonly Piece[] {
  const groups: Segment[][] = []
  for (const segment of elements.flatMap(({ segments }) => segments)) {
    const last = groups.at(-1)
    if (last !== undefined && segment.joins && last[0]?.joins === true && last[0].role === segment.role)
      last.push(segment)
    else groups.push([segment])
  }
  return groups.map((segments, index) => {
    const known = previous?.pieces[index]
    const isKnown =
      known?.segments.length === segments.length && segments.every((each, at) => each === known.segments[at])
    return isKnown ? known : createPiece(segments)
  })
}
