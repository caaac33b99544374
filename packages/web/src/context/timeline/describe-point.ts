import { formatNumber, formatShort } from '../../ui/text/format.ts'
import { MARKS } from './marks.ts'
import type { PlacedMark, Timeline } from './plan-timeline.ts'

const NAMES = new Map(MARKS.map(({ kind, name }) => [kind, name]))

/** A request of the timeline in a line: how large it was, and what was done right before it. */
export function describePoint({ numbers, tokens, marks }: Timeline, index: number): string {
  const number = numbers[index]
  if (number === undefined) return ''
  const size = tokens[index] ?? null
  // Titles, summaries and the like have numbers of their own, so the one before may be further away than one.
  const before = numbers[index - 1] ?? -Infinity
  const done = marks.filter(({ x }) => x > before && x <= number).map(nameOf)
  const words = [`#${number}`, size === null ? 'size unknown' : `${formatNumber(size)} tokens`]
  return [...words, ...(done.length === 0 ? [] : [`after ${done.join(', ')}`])].join(' · ')
}

function nameOf({ kind, drop }: PlacedMark): string {
  const name = (NAMES.get(kind) ?? kind).toLowerCase()
  return drop === undefined ? name : `${name} ${formatShort(drop.from)} → ${formatShort(drop.to)}`
}
