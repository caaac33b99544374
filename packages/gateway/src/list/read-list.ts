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
  /** The whole body. */
  readonly bytes: Buffer
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

/** A body in two forms: bytes are compared fast, and a text with a character for each byte is searched and cut fast. */
export interface BodyText {
  readonly bytes: Buffer
  readonly text: string
}

export interface ListInput {
  readonly body: BodyText
  /** Where the list starts. */
  readonly start: number
  readonly wire: Wire
  /** Lists of earlier requests: elements whose bytes stand at the same place of one of them are not read again. */
  readonly earlier: Iterable<ClientList>
}

export function readList({ body, start, wire, earlier }: ListInput): ClientList {
  const { bytes, text } = body
  const starts: number[] = []
  const elements: ListElement[] = []
  const isString = text[start] === '"'
  const previous = findNearest(body, start, earlier)
  const names: ToolNames = new Map(previous?.names)
  const visit = (at: number, index: number): number => {
    const known = previous === null ? null : findKnown(body, at, index, previous)
    const end = known === null ? endOfValue(text, at) : at + known.length
    starts.push(at)
    elements.push(known ?? { ...wire.readElement(text.slice(at, end), names, index === 0), length: end - at })
    return end
  }
  const end = isString ? visit(start, 0) : walkElements(text, start, visit)
  const pieces = joinPieces(elements, previous)
  const said = pieces.filter(({ hash }) => hash !== null)
  return { bytes, span: { start, end }, isString, starts, elements, pieces, said, names }
}

/** The list that shares most elements with this one. One that shares all that it has cannot be beaten by much. */
function findNearest(body: BodyText, start: number, earlier: Iterable<ClientList>): ClientList | null {
  let nearest: ClientList | null = null
  let most = 0
  if (body.text[start] !== '[') return null
  for (const list of earlier) {
    const shared = countShared(body, start, list)
    if (shared <= most) continue
    most = shared
    nearest = list
    if (shared === list.elements.length) return nearest
  }
  return nearest
}

/** How many elements have the same bytes, at the same distance from the start of the list. */
function countShared({ bytes }: BodyText, start: number, { bytes: own, span, starts, elements }: ClientList): number {
  const shift = start - span.start
  const isEqual = (count: number): boolean => {
    const last = starts[count - 1] as number
    const end = last + (elements[count - 1]?.length ?? 0)
    return end + shift <= bytes.length && bytes.compare(own, span.start, end, start, end + shift) === 0
  }
  let [shared, tried] = [0, 1]
  while (tried <= elements.length && isEqual(tried)) {
    shared = tried
    tried = shared === elements.length ? Infinity : Math.min(shared * 2, elements.length)
  }
  return shared
}

function findKnown({ bytes }: BodyText, at: number, index: number, previous: ClientList): ListElement | null {
  const known = previous.elements[index]
  if (known === undefined || at + known.length > bytes.length) return null
  const start = previous.starts[index] as number
  return bytes.compare(previous.bytes, start, start + known.length, at, at + known.length) === 0 ? known : null
}

function joinPieces(elements: readonly ListElement[], previous: ClientList | null): readonly Piece[] {
  const groups: Segment[][] = []
  for (const { segments } of elements)
    for (const segment of segments) {
      const first = segment.joins ? groups.at(-1)?.[0] : undefined
      if (first?.joins === true && first.role === segment.role) groups.at(-1)?.push(segment)
      else groups.push([segment])
    }
  return groups.map((segments, index) => {
    const known = previous?.pieces[index]
    const isKnown =
      known?.segments.length === segments.length && segments.every((each, at) => each === known.segments[at])
    return isKnown ? known : createPiece(segments)
  })
}
