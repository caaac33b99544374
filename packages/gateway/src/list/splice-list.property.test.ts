import type { Part } from '@longhaul/engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeJson, encodeText, fromByteText, toByteText } from '../json/bytes.ts'
import { findElements, findMembers, skipSpace } from '../json/scan-json.ts'
import { arbitraryBody } from '../testing/arbitrary-bodies.ts'
import { anthropicWire } from '../wires/anthropic/anthropic-wire.ts'
import { openaiChatWire } from '../wires/openai-chat/openai-chat-wire.ts'
import { openaiResponsesWire } from '../wires/openai-responses/openai-responses-wire.ts'
import type { Wire } from '../wires/wire.ts'
import { createPieceCodec } from './create-piece-codec.ts'
import type { Piece, SentPiece } from './piece.ts'
import { readList } from './read-list.ts'
import type { ClientList } from './read-list.ts'
import { spliceList } from './splice-list.ts'

const RUNS = 700
/** Nesting that nothing can walk: a gateway passes such a body on, as `any-body.property.test.ts` shows. */
const TOO_DEEP = /(?:\[\{\\?"a\\?":){60}/

function listIn(body: string, wire: Wire, previous: ClientList | null = null): ClientList {
  const text = encodeText(body)
  const span = findMembers(text, skipSpace(text, 0)).get(wire.listKey)
  if (span === undefined) throw new Error('There is no list.')
  const earlier = previous === null ? [] : [previous]
  const list = readList({ bytes: fromByteText(text), start: span.start, wire, earlier })
  expect(list.span).toEqual(span)
  return list
}

/** What a mirror may do to a message: leave out reasoning, shorten results and arguments. */
type Change = 'none' | 'edit' | 'drop'

function shorten(part: Part): readonly Part[] {
  if (part.type === 'reasoning') return []
  if (part.type === 'tool-result' && typeof part.output === 'string') return [{ ...part, output: '[cleared: ä]' }]
  if (part.type === 'tool-call' && 'path' in part.input)
    return [{ ...part, input: { ...part.input, path: '[cut: ü]' } }]
  return [part]
}

function apply(list: ClientList, changes: readonly Change[]): readonly SentPiece[] {
  const codec = createPieceCodec(() => list)
  return list.pieces.flatMap((piece, index): readonly SentPiece[] => {
    const change = changes[index % changes.length] ?? 'none'
    if (piece.message === null || piece.hash === null || change === 'none') return [piece]
    if (change === 'drop')
      return index === 0
        ? [codec.write({ role: 'user', parts: [{ type: 'text', text: 'A summary. 🌱' }] }, null, { at: 0 })]
        : []
    const { role, parts } = piece.message
    return [codec.write({ role, parts: parts.flatMap(shorten) }, piece, { at: 0 })]
  })
}

describe.each([anthropicWire, openaiChatWire, openaiResponsesWire])('bodies over $name', (wire) => {
  const bodies = arbitraryBody(wire.name).filter((body) => !TOO_DEEP.test(body))

  it('leave as they came where nothing is changed, and are read once', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const list = listIn(body, wire)
        expect(spliceList({ text: toByteText(list.bytes), list }, list.pieces, wire)).toBeNull()
        const again = listIn(body, wire, list)
        expect(again.pieces.every((piece, index) => piece === list.pieces[index])).toBe(true)
        expect(again.pieces).toHaveLength(list.pieces.length)
      }),
      { numRuns: RUNS },
    )
  })

  it('are valid where something is changed, and keep every span that is not', () => {
    const change = fc.constantFrom<Change>('none', 'none', 'edit', 'drop')
    let edited = 0
    fc.assert(
      fc.property(bodies, fc.array(change, { minLength: 1, maxLength: 9 }), (body, changes) => {
        const list = listIn(body, wire)
        const sent = apply(list, changes)
        const text = toByteText(list.bytes)
        const spliced = spliceList({ text, list }, sent, wire)
        if (spliced === null) return
        edited += 1
        decodeJson(spliced)
        expect(spliced.slice(0, list.span.start)).toBe(text.slice(0, list.span.start))
        expect(spliced.endsWith(text.slice(list.span.end))).toBe(true)
        const after = spansOf(spliced, wire)
        for (const piece of sent) {
          if (piece.kind === 'written') continue
          const own = piece.kind === 'piece' ? piece : (list.said[piece.place] as Piece)
          for (const kept of unchangedSpans(list, own, piece, wire)) expect(after).toContain(kept)
        }
      }),
      { numRuns: RUNS },
    )
    expect(edited).toBeGreaterThan(RUNS / 4)
  })
})

/** Whole elements, and the blocks inside them, as bytes. */
function spansOf(text: string, wire: Wire): readonly string[] {
  const span = findMembers(text, skipSpace(text, 0)).get(wire.listKey)
  return findElements(text, span?.start ?? 0).flatMap(({ start, end }) => [
    text.slice(start, end),
    ...blocksOf(text.slice(start, end)),
  ])
}

function blocksOf(element: string): readonly string[] {
  const content = findMembers(element, 0).get('content')
  if (content === undefined || element[content.start] !== '[') return []
  return findElements(element, content.start).map(({ start, end }) => element.slice(start, end))
}

/** An element that is sent as it is, or the blocks of an Anthropic element that nothing was done to. */
function unchangedSpans(list: ClientList, own: Piece, sent: SentPiece, wire: Wire): readonly string[] {
  const places = list.elements.flatMap(({ segments }, at) =>
    segments.flatMap((segment) => (own.segments.includes(segment) ? [{ at, segment }] : [])),
  )
  return places.flatMap(({ at, segment }) => {
    const start = list.starts[at] as number
    const { length, segments } = list.elements[at] as ClientList['elements'][number]
    const raw = toByteText(list.bytes.subarray(start, start + length))
    if (sent.kind === 'piece')
      return segments.length === 1
        ? [raw]
        : blocksOf(`{"content":[${raw.slice(segment.span?.start, segment.span?.end)}]}`)
    if (wire.name !== 'anthropic' || segments.length > 1) return []
    return blocksOf(raw).filter(
      (block) => !/"(?:tool_result|thinking|redacted_thinking|tool_use)"|<system-reminder>/.test(block),
    )
  })
}
