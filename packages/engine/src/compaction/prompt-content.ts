import { renderMessage } from '../messages/render-text.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import type { Estimator } from '../tokens/estimate-message.ts'
import type { Item } from '../transcript/item.ts'

/** What a call holds of the conversation: enough to explain it. */
export interface PromptContent {
  /** The summary it goes on from, as it is told there; null: it is not. */
  readonly earlier: string | null
  readonly items: readonly PromptItem[]
}

/** One message in the form in which a call holds it. Media are named and reasoning is passed over in all of them. */
export interface PromptItem {
  readonly item: Item
  readonly state: 'verbatim' | 'soft-trimmed' | 'summarised' | 'left-out'
  /** Of what is held, not of the message. */
  readonly tokens: number
}

/** A message, and its text for a summariser. */
export interface Piece {
  readonly item: Item
  readonly text: string
  /** It was too large: the text only says so. */
  readonly isLeftOut: boolean
}

const BETWEEN = '\n\n'

export function joinPieces(pieces: readonly Pick<Piece, 'text'>[]): string {
  return pieces
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join(BETWEEN)
}

/** What is left of each piece in `shown`: all of them joined, or that with its middle cut. */
export function describePieces(pieces: readonly Piece[], shown: string, estimator: Estimator): readonly PromptItem[] {
  const whole = joinPieces(pieces)
  const gap = findGap(whole, shown)
  let start = 0
  return pieces.map(({ item, text, isLeftOut }) => {
    const held = text.slice(0, Math.max(0, gap.start - start)) + text.slice(Math.max(0, gap.end - start))
    if (text !== '') start += text.length + BETWEEN.length
    const state =
      isLeftOut || held === '' ? 'left-out' : held === text && isWhole(text, item) ? 'verbatim' : 'soft-trimmed'
    return { item, state, tokens: estimateField(held, estimator) }
  })
}

/** Read through a summary of their own. */
export function describeSummarised(items: readonly Item[]): readonly PromptItem[] {
  return items.map((item) => ({ item, state: 'summarised', tokens: 0 }))
}

/** No preview cut the text of the message. Its number may stand before it. */
function isWhole(text: string, { entry }: Item): boolean {
  return text.endsWith(renderMessage(entry))
}

/** The stretch of `whole` that `shown` does not have. */
function findGap(whole: string, shown: string): { readonly start: number; readonly end: number } {
  if (shown === whole) return { start: whole.length, end: whole.length }
  let start = 0
  while (start < shown.length && whole[start] === shown[start]) start += 1
  const most = Math.min(whole.length, shown.length) - start
  let tail = 0
  while (tail < most && whole.at(-1 - tail) === shown.at(-1 - tail)) tail += 1
  return { start, end: whole.length - tail }
}
