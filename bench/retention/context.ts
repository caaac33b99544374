import type { View } from '@longhaul/engine/advanced'
import { createPiece, holdsWords, pieceOf } from '@longhaul/replay'
import type { Piece } from '@longhaul/replay'

/** What one request would show the model, as text. */
export interface Context {
  /** Messages of the conversation that are still sent, in whatever form. */
  readonly kept: readonly Piece[]
  /** All that stands in for the others, and the system prompt. */
  readonly beside: readonly Piece[]
}

export function readContext({ items }: View, system: string | null): Context {
  return {
    kept: items.filter(({ kind }) => isMessage(kind)).map(({ message }) => pieceOf(message.parts)),
    beside: [
      ...(system === null ? [] : [createPiece(system)]),
      ...items.filter(({ kind }) => !isMessage(kind)).map(({ message }) => pieceOf(message.parts)),
    ],
  }
}

export function holdsText({ kept, beside }: Context, needle: string, isCut: boolean): boolean {
  return holdsWords(beside, needle, isCut) || holdsWords(kept, needle, isCut)
}

function isMessage(kind: View['items'][number]['kind']): boolean {
  return kind === 'user' || kind === 'assistant' || kind === 'tool'
}
