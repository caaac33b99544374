import { findCutPoints } from '../messages/cut-points.ts'
import type { Limits } from '../policy/limits.ts'
import { PREVIEW } from '../policy/presets.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import type { Estimator } from '../tokens/estimate-message.ts'
import type { Item } from '../transcript/item.ts'
import { describePieces, joinPieces } from './prompt-content.ts'
import type { Piece, PromptItem } from './prompt-content.ts'
import { capMiddle, fitTokens, renderSpan } from './summariser-input.ts'
import type { SpanForm } from './summariser-input.ts'

export interface ChunkOptions extends SpanForm {
  readonly limits: Pick<Limits, 'windowTokens' | 'summaryInputTokens'>
  readonly estimator: Estimator
  /** What goes into the same call beside a chunk: the earlier summary, the user's wish. */
  readonly besideTokens: number
}

interface SingleTextOptions extends ChunkOptions {
  readonly maxChars: number | null
  /** How many tokens the model bills for one of the estimate. */
  readonly ratio: number
}

/** One stretch of the span and the text a model is given for it. */
export interface Chunk {
  /** Each in the form in which the text holds it. */
  readonly items: readonly PromptItem[]
  readonly text: string
}

export interface ChunkPlan {
  /** In order; together exactly the span. */
  readonly chunks: readonly Chunk[]
  /** Messages too large to be read; each has its note in the text, too. */
  readonly leftOut: readonly { readonly item: Item; readonly note: string }[]
  /** Some message has text and is not left out. Otherwise there is nothing to ask a model about. */
  readonly isReadable: boolean
}

const BASE_RATIO = 0.4
const MIN_RATIO = 0.15
/** Estimates err; a chunk, or a text with whole results, leaves room for that. */
const SAFETY_MARGIN = 1.2
const LARGE_MESSAGE_SHARE = 0.1
const OVERSIZED_SHARE = 0.5
const CALL_RESERVE_TOKENS = 20_000
const MAX_CALL_RESERVE_SHARE = 0.25

/** Chunks of about equal size, none of which separates a tool call from its result. */
export function planChunks(items: readonly Item[], options: ChunkOptions): ChunkPlan {
  const pieces = items.map((item) => readPiece(item, options))
  const total = pieces.reduce((sum, piece) => sum + piece.tokens, 0)
  const read = pieces.filter((piece) => piece.note === null && piece.text !== '')
  const average = read.length === 0 ? 0 : read.reduce((sum, piece) => sum + piece.tokens, 0) / read.length
  const maxTokens = Math.max(1, chunkCallTokens(options.limits) - options.besideTokens)
  const ratio = findChunkRatio(average, options.limits.windowTokens)
  const target = Math.max(1, Math.floor(Math.min(options.limits.windowTokens * ratio, maxTokens) / SAFETY_MARGIN))
  const share = Math.ceil(total / Math.max(1, Math.ceil(total / target)))

  const chunks: MeasuredPiece[][] = []
  let tokens = 0
  for (const group of groupPieces(pieces)) {
    const groupTokens = group.reduce((sum, piece) => sum + piece.tokens, 0)
    const chunk = chunks.at(-1)
    if (chunk === undefined || (groupTokens > 0 && tokens > 0 && (tokens >= share || tokens + groupTokens > target))) {
      chunks.push(group)
      tokens = groupTokens
    } else {
      chunk.push(...group)
      tokens += groupTokens
    }
  }
  return {
    chunks: chunks.map((chunk) => {
      const text = fitTokens(joinPieces(chunk), maxTokens, options.estimator)
      return { items: describePieces(chunk, text, options.estimator), text }
    }),
    leftOut: pieces.flatMap(({ item, note }) => (note === null ? [] : [{ item, note }])),
    isReadable: read.length > 0,
  }
}

/** The whole span as one text, for policies that ask once. What is too long loses the middle of its results, then its own. */
export function planSingleText(items: readonly Item[], options: SingleTextOptions): ChunkPlan {
  const { limits, estimator, besideTokens, ratio, maxChars } = options
  const maxTokens = Math.max(1, limits.summaryInputTokens / ratio - besideTokens)
  const stored = readPieces(items, options)
  const isTooLong = (text: string): boolean =>
    text.length > (maxChars ?? Infinity) || estimateField(text, estimator) * SAFETY_MARGIN > maxTokens
  const pieces = isTooLong(joinPieces(stored)) ? readPieces(items, withPreview(options)) : stored
  const whole = joinPieces(pieces)
  const capped = maxChars === null ? whole : capMiddle(whole, maxChars)
  const text = fitTokens(capped, maxTokens, estimator)
  const chunk = { items: describePieces(pieces, text, estimator), text }
  return { chunks: items.length === 0 ? [] : [chunk], leftOut: [], isReadable: text !== '' }
}

function readPieces(items: readonly Item[], form: SpanForm): readonly Piece[] {
  return items.map((item) => ({ item, text: renderSpan([item], form), isLeftOut: false }))
}

/** Where a policy shows results whole, they are still the first to give way when there is no room for that. */
function withPreview<T extends SpanForm>(form: T): T {
  return { ...form, preview: form.preview ?? PREVIEW }
}

/** The share of the window that a chunk takes: less where messages are large, so that a chunk still holds several. */
export function findChunkRatio(averageMessageTokens: number, windowTokens: number): number {
  const share = (averageMessageTokens * SAFETY_MARGIN) / windowTokens
  return share > LARGE_MESSAGE_SHARE ? Math.max(MIN_RATIO, BASE_RATIO - 2 * share) : BASE_RATIO
}

/** The most that one call of a chunked compaction is given. */
export function chunkCallTokens({ windowTokens, summaryInputTokens }: ChunkOptions['limits']): number {
  const reserve = Math.min(CALL_RESERVE_TOKENS, windowTokens * MAX_CALL_RESERVE_SHARE)
  return Math.max(1, Math.floor(Math.min(windowTokens - reserve, summaryInputTokens)))
}

interface MeasuredPiece extends Piece {
  readonly tokens: number
  readonly note: string | null
}

function readPiece(item: Item, options: ChunkOptions): MeasuredPiece {
  const { limits, estimator } = options
  const maxTokens = limits.windowTokens * OVERSIZED_SHARE
  const measure = (form: SpanForm): MeasuredPiece => {
    const text = renderSpan([item], form)
    return { item, text, isLeftOut: false, tokens: estimateField(text, estimator), note: null }
  }
  const stored = measure(options)
  if (stored.tokens <= maxTokens) return stored
  // A request that sends it pruned has room for it, so the summariser is shown some of it, too.
  const shortened = item.forms === null ? stored : measure(withPreview(options))
  if (shortened.tokens <= maxTokens) return shortened
  const thousands = Math.round(stored.tokens / 1_000)
  const note = `[Large ${item.message.role} message (~${thousands}K tokens) left out of the summary]`
  return { item, text: note, isLeftOut: true, tokens: estimateField(note, estimator), note }
}

function groupPieces(pieces: readonly MeasuredPiece[]): readonly MeasuredPiece[][] {
  const cuts = findCutPoints(pieces.map((piece) => piece.item.message))
  const groups: MeasuredPiece[][] = []
  pieces.forEach((piece, index) => {
    const group = groups.at(-1)
    if (group === undefined || cuts.isLegal(index)) groups.push([piece])
    else group.push(piece)
  })
  return groups
}
