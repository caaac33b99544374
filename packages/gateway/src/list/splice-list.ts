import { hashMessage } from '@longhaul/engine/advanced'
import type { Part } from '@longhaul/engine'
import { copyText } from '../json/bytes.ts'
import type { ByteText } from '../json/bytes.ts'
import type { PlainMessage, Segment, Wire } from '../wires/wire.ts'
import type { EditedPiece, Piece, SentPiece } from './piece.ts'
import type { ClientList } from './read-list.ts'

/** A segment of a request: at a place of the client's list, with its own bytes (null) or others; or one of ours. */
interface Chunk {
  /** -1: the client does not have it. */
  readonly element: number
  readonly segment: number
  readonly bytes: string | null
}

/** An element of the list as it is sent; null: with its own bytes. */
interface SentElement {
  readonly element: number
  readonly bytes: string | null
}

/**
 * The body with another list in it; null: the list is the client's own. Elements that nobody touched leave as one stretch
 * of the client's bytes, with the spaces and commas between them.
 */
export function spliceList(body: SplicedBody, sent: readonly SentPiece[], wire: Wire): string | null {
  const { text, list } = body
  if (sent.length === list.pieces.length && isOwnList(sent, list)) return null
  const places = placePieces(list)
  const chunks = sent.flatMap((piece) => chunksOf(piece, { text, list, places, wire }))
  const elements = joinElements(chunks, body)
  if (isWhole(elements, list)) return null
  const { span } = list
  return `${text.slice(0, span.start)}[${joinRuns(elements, body)}]${text.slice(span.end)}`
}

/**
 * Most requests are sent as they came, and long lists are not taken apart for that. Where nothing but thinking would be left
 * out, such as after another tool was added, the client knows best what it sends.
 */
function isOwnList(sent: readonly SentPiece[], { pieces, said }: ClientList): boolean {
  return sent.every((piece, index) => {
    const own = pieces[index]
    if (piece === own) return true
    return piece.kind === 'edited' && own !== undefined && said[piece.place] === own && hasSameWords(own, piece)
  })
}

function hasSameWords({ message }: Piece, { shown }: EditedPiece): boolean {
  const own = (message?.parts ?? []).filter(({ type }) => type !== 'reasoning')
  return own.length === shown.parts.length && own.every((part, index) => isSamePart(part, shown.parts[index] ?? null))
}

/** A body, with a character for each byte, and its list. */
export interface SplicedBody {
  readonly text: ByteText
  readonly list: ClientList
}

interface Place {
  readonly element: number
  readonly segment: number
}

type Places = ReadonlyMap<Piece, readonly Place[]>

interface ListContext extends SplicedBody {
  readonly places: Places
  readonly wire: Wire
}

function placePieces({ elements, pieces }: ClientList): Places {
  const places = new Map<Piece, Place[]>(pieces.map((piece) => [piece, []]))
  let piece = 0
  elements.forEach(({ segments }, element) =>
    segments.forEach((_each, segment) => {
      while ((places.get(pieces[piece] as Piece)?.length ?? 0) === pieces[piece]?.segments.length) piece += 1
      places.get(pieces[piece] as Piece)?.push({ element, segment })
    }),
  )
  return places
}

function chunksOf(piece: SentPiece, { text, list, places, wire }: ListContext): readonly Chunk[] {
  if (piece.kind === 'written') return writeChunks(piece.shown, wire)
  const own = piece.kind === 'piece' ? piece : list.said[piece.place]
  const at = own === undefined ? undefined : places.get(own)
  if (own === undefined || at === undefined) throw new Error('A message is not in the list it was sent for.')
  if (piece.kind === 'piece') return at.map((place) => ({ ...place, bytes: null }))
  if (own.hash !== piece.hash) throw new Error('A changed message is not the one in its place.')
  const edits = editPiece(own, piece, { at, text, list, wire })
  if (edits === null) return writeChunks(piece.shown, wire)
  return at.flatMap((place, index) => {
    const bytes = edits[index]
    return bytes === undefined ? [] : [{ ...place, bytes }]
  })
}

function writeChunks(shown: PlainMessage, wire: Wire): readonly Chunk[] {
  return wire.writeMessage(shown).map((bytes) => ({ element: -1, segment: 0, bytes }))
}

/** By segment: null: its own bytes; undefined: it is left out. */
type SegmentEdits = readonly (string | null | undefined)[]

interface KnownEdits {
  readonly by: EditedPiece
  readonly shown: string
  readonly edits: SegmentEdits | null
}

/** The same change of the same bytes is worked out once. */
const known = new WeakMap<Piece, KnownEdits>()

function editPiece(
  piece: Piece,
  by: EditedPiece,
  { at, wire, ...body }: SplicedBody & { readonly at: readonly Place[]; readonly wire: Wire },
): SegmentEdits | null {
  const last = known.get(piece)
  if (last?.by === by) return last.edits
  const shown = hashMessage(by.shown)
  if (last?.shown === shown) return last.edits
  const aligned = alignParts(piece.message?.parts ?? [], by.shown.parts)
  const edits =
    aligned &&
    piece.segments.map((segment, index) => {
      const before = piece.segments.slice(0, index).reduce((sum, { parts }) => sum + parts.length, 0)
      const after = aligned.slice(before, before + segment.parts.length)
      if (segment.parts.every((part, place) => isSamePart(part, after[place] ?? null))) return null
      const bytes = wire.editSegment(rawOf(at[index] as Place, segment, body), segment, after)
      return bytes === null ? undefined : copyText(bytes)
    })
  known.set(piece, { by, shown, edits })
  return edits
}

function rawOf({ element }: Place, { span }: Segment, { text, list: { starts, elements } }: SplicedBody): string {
  const start = starts[element] as number
  return span === null
    ? text.slice(start, start + (elements[element]?.length ?? 0))
    : text.slice(start + span.start, start + span.end)
}

/** Each part of a message with the one that is shown in its place; null: it is left out. null as a whole: they do not match. */
function alignParts(before: readonly Part[], shown: readonly Part[]): readonly (Part | null)[] | null {
  let next = 0
  const aligned = before.map((part) => {
    const candidate = shown[next]
    if (candidate === undefined || candidate.type !== part.type) return null
    if (part.type === 'reasoning' && candidate.type === 'reasoning' && candidate.text !== part.text) return null
    next += 1
    return candidate
  })
  const leavesOutReasoningOnly = aligned.every((part, index) => part !== null || before[index]?.type === 'reasoning')
  return next === shown.length && leavesOutReasoningOnly ? aligned : null
}

function isSamePart(one: Part, other: Part | null): boolean {
  if (one === other) return true
  return other !== null && hashMessage({ role: 'user', parts: [one] }) === hashMessage({ role: 'user', parts: [other] })
}

/** Puts segments that stand in one element of the client's back into it. */
function joinElements(chunks: readonly Chunk[], body: SplicedBody): readonly SentElement[] {
  const joined: SentElement[] = []
  for (let at = 0; at < chunks.length;) {
    const end = endOfElement(chunks, at)
    joined.push({ element: chunks[at]?.element ?? -1, bytes: joinChunks(chunks.slice(at, end), body) })
    at = end
  }
  return joined
}

/** Segments of one element stand together only in the order in which the client has them. */
function endOfElement(chunks: readonly Chunk[], start: number): number {
  let end = start + 1
  while (isContinued(chunks[end - 1] as Chunk, chunks[end])) end += 1
  return end
}

function isContinued(one: Chunk, next: Chunk | undefined): boolean {
  return next !== undefined && one.element >= 0 && next.element === one.element && next.segment > one.segment
}

function joinChunks(chunks: readonly Chunk[], { text, list }: SplicedBody): string | null {
  const { element, bytes } = chunks[0] as Chunk
  const whole = list.elements[element]
  if (whole === undefined || whole.content === null) return bytes
  if (chunks.length === whole.segments.length && chunks.every((chunk) => chunk.bytes === null)) return null
  const start = list.starts[element] as number
  const raw = text.slice(start, start + whole.length)
  const inside = chunks.map((chunk) => {
    const { span } = whole.segments[chunk.segment] as Segment
    return chunk.bytes ?? raw.slice(span?.start, span?.end)
  })
  return `${raw.slice(0, whole.content.start)}[${inside.join(',')}]${raw.slice(whole.content.end)}`
}

function isWhole(elements: readonly SentElement[], list: ClientList): boolean {
  return (
    elements.length === list.elements.length &&
    elements.every(({ element, bytes }, index) => element === index && bytes === null)
  )
}

function joinRuns(elements: readonly SentElement[], { text, list }: SplicedBody): string {
  const { starts, elements: own, isString } = list
  const runs: string[] = []
  for (let at = 0; at < elements.length;) {
    const { element, bytes } = elements[at] as SentElement
    let last = element
    at += 1
    if (bytes !== null) {
      runs.push(bytes)
      continue
    }
    while (elements[at]?.bytes === null && elements[at]?.element === last + 1) {
      last += 1
      at += 1
    }
    const raw = text.slice(starts[element], (starts[last] as number) + (own[last]?.length ?? 0))
    runs.push(isString ? `{"role":"user","content":${raw}}` : raw)
  }
  return runs.join(',')
}
