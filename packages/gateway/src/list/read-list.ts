import { readByteText } from '../json/bytes.ts'
import { endOfValue, walkElements, walkOn } from '../json/scan-json.ts'
import type { Span, VisitElement } from '../json/scan-json.ts'
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

export interface ListInput {
  readonly bytes: Buffer
  /** Where the list starts. */
  readonly start: number
  readonly wire: Wire
  /** Lists of earlier requests: elements whose bytes stand at the same place of one of them are not read again. */
  readonly earlier: Iterable<ClientList>
}

export function readList({ bytes, start, wire, earlier }: ListInput): ClientList {
  const text = readByteText(bytes)
  const isString = text.charCodeAt(start) === QUOTE
  const { previous, shared } = isString ? NOTHING_SHARED : findNearest(bytes, start, earlier)
  const shift = start - (previous?.span.start ?? 0)
  const starts = (previous?.starts ?? []).slice(0, shared).map((at) => at + shift)
  const elements = (previous?.elements ?? []).slice(0, shared)
  const names: ToolNames = new Map(previous?.names)
  const visit: VisitElement = (at, index) => {
    const known = previous === null ? null : findKnown(bytes, at, previous, index)
    const end = known === null ? endOfValue(text, at) : at + known.length
    starts.push(at)
    elements.push(known ?? { ...wire.readElement(text.slice(at, end), names, index === 0), length: end - at })
    return end
  }
  const last = (starts.at(-1) ?? start) + (elements.at(-1)?.length ?? 0)
  const walk = (): number =>
    shared === 0 ? walkElements(text, start, visit) : walkOn(text, { at: last, index: shared }, visit)
  const end = isString ? visit(start, 0) : walk()
  const pieces = joinPieces(elements, previous)
  const said = pieces.filter(({ hash }) => hash !== null)
  return { bytes, span: { start, end }, isString, starts, elements, pieces, said, names }
}

const QUOTE = 0x22

interface Shared {
  readonly previous: ClientList | null
  /** The elements at the start of both lists that have the same bytes, with the same bytes between them. */
  readonly shared: number
}

const NOTHING_SHARED: Shared = { previous: null, shared: 0 }

/** The list that shares most elements with this one. One that shares all that it has cannot be beaten by much. */
function findNearest(bytes: Buffer, start: number, earlier: Iterable<ClientList>): Shared {
  let nearest = NOTHING_SHARED
  for (const previous of earlier) {
    const shared = previous.isString ? 0 : countShared(bytes, start, previous)
    if (shared > nearest.shared) nearest = { previous, shared }
    if (shared > 0 && shared === previous.elements.length) return nearest
  }
  return nearest
}

function countShared(bytes: Buffer, start: number, { bytes: own, span, starts, elements }: ClientList): number {
  const equal = span.start + countEqual(own.subarray(span.start, span.end), bytes.subarray(start))
  let [shared, beyond] = [0, elements.length]
  while (shared < beyond) {
    const middle = Math.ceil((shared + beyond) / 2)
    const end = (starts[middle - 1] as number) + (elements[middle - 1] as ListElement).length
    if (end <= equal) shared = middle
    else beyond = middle - 1
  }
  return shared
}

const BLOCK_BYTES = 32 * 1024

/** How many bytes are the same at the start of both. Each is looked at once; then the first block that differs is halved. */
function countEqual(one: Buffer, other: Buffer): number {
  const most = Math.min(one.length, other.length)
  let equal = 0
  let step = Math.min(BLOCK_BYTES, most)
  while (step > 0 && equal < most) {
    const end = Math.min(equal + step, most)
    if (one.compare(other, equal, end, equal, end) === 0) equal = end
    else step = Math.floor(Math.min(step, end - equal) / 2)
  }
  return equal
}

function findKnown(bytes: Buffer, at: number, previous: ClientList, index: number): ListElement | null {
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
