/** Something said, done or shown in a conversation that may be needed again. */
export const FACT_KINDS = ['instruction', 'decision', 'ask', 'file', 'command', 'url', 'id', 'figure'] as const
export type FactKind = (typeof FACT_KINDS)[number]

/** Whole sentences are not repeated but followed. */
export const SENTENCES: ReadonlySet<FactKind> = new Set(['ask', 'instruction', 'decision'])

export interface Fact {
  readonly kind: FactKind
  /** As it was first written. */
  readonly text: string
  /** Folded texts: the fact is present where one of them stands as a word of its own. */
  readonly needles: readonly string[]
  /** The needles are the beginnings of something longer. */
  readonly isCut: boolean
  /** Or where all of them stand on one line: a file whose name others share, with its folder. */
  readonly lineNeedles: readonly string[]
}

/** What a tool call did to a file. */
export type Effect = 'changed' | 'read'

/** A fact found in one message. */
export interface Finding {
  readonly kind: FactKind
  readonly text: string
  /** Written by user or model, tool inputs included; or only shown by a tool. */
  readonly origin: 'said' | 'output'
  readonly effect: Effect | null
}

export interface Occurrence extends Pick<Finding, 'origin' | 'effect'> {
  readonly fact: Fact
}
