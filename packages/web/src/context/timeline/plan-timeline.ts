import type { Compaction, Mark, Request } from '@longhaul/protocol'
import { isOverflow } from './describe-outcome.ts'
import type { MarkKind } from './marks.ts'

export interface PlacedMark {
  readonly kind: MarkKind
  /** On the axis of request numbers; halves lie between two requests. */
  readonly x: number
  /** Of a compaction: how much smaller it made the context. */
  readonly drop?: Drop
}

export interface Drop {
  readonly from: number
  readonly to: number
}

export interface Timeline {
  /** Request numbers, rising. */
  readonly numbers: readonly number[]
  /** null: nobody counted it; the line has a gap there. */
  readonly tokens: readonly (number | null)[]
  readonly marks: readonly PlacedMark[]
  /** What the vertical axis must reach. */
  readonly topTokens: number
}

export interface TimelineInput {
  /** Newest first. */
  readonly requests: readonly Request[]
  /** Whether there were requests before these. */
  readonly hasOlder: boolean
  readonly marks: readonly Mark[]
  readonly compactions: readonly Compaction[]
  readonly threshold: number | null
}

/** Requests at even distances: hours in which nothing was sent would squeeze everything else together. */
export function planTimeline({ requests, hasOlder, marks, compactions, threshold }: TimelineInput): Timeline {
  // Titles, summaries and the like are not part of how the context grew.
  const shown = requests.filter(({ purpose }) => purpose === 'turn').toReversed()
  const first = shown[0]
  const placed = first === undefined ? [] : marks.filter(({ at }) => !hasOlder || at >= first.at)
  const drops = new Map(
    compactions.map(({ id, tokensBefore, tokensAfter }) => [id, { from: tokensBefore, to: tokensAfter }]),
  )
  const between = placed.map(({ id, kind, at }): PlacedMark => {
    const drop = drops.get(id)
    return { kind, x: placeBetween(shown, at), ...(drop === undefined ? {} : { drop }) }
  })
  const overflows = shown.filter(({ outcome }) => isOverflow(outcome)).map(({ number }) => overflowAt(number))
  const tokens = shown.map((request) => request.tokens)
  const sizes = [...tokens.map((each) => each ?? 0), ...between.map(({ drop }) => drop?.from ?? 0)]
  const largest = sizes.reduce((most, each) => Math.max(most, each), threshold ?? 0)
  return {
    numbers: shown.map(({ number }) => number),
    tokens,
    marks: [...between, ...overflows].toSorted((one, other) => one.x - other.x),
    topTokens: Math.max(1_000, largest * 1.12),
  }
}

function overflowAt(x: number): PlacedMark {
  return { kind: 'overflow', x }
}

/** Right after the last request that was sent before it; in front of all, if none was. */
function placeBetween(rising: readonly Request[], at: number): number {
  const before = rising.findLast((request) => request.at <= at)
  return before === undefined ? (rising[0]?.number ?? 0) - 0.5 : before.number + 0.5
}
