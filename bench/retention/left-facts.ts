import { SENTENCES } from '@longhaul/replay'
import type { Fact, FactBook, Occurrence } from '@longhaul/replay'

/** As reported. Files are changed, read or only named; `shown` is what nobody mentioned: only tool outputs held it. */
export const KINDS = [
  'ask',
  'instruction',
  'decision',
  'file changed',
  'file read',
  'file named',
  'command',
  'url',
  'id',
  'figure',
  'shown',
] as const
export type Kind = (typeof KINDS)[number]

/** Facts of messages that were summarized or left out; not yet whether something still tells them. */
export interface LeftFacts {
  isEmpty(): boolean
  /** A message is not sent any more. */
  cover(index: number): void
  /** Facts of the covered messages. */
  covered(): ReadonlyMap<Fact, Kind>
  /** The covered facts that message `index` mentions; each once for each time it left. */
  takeNeeded(index: number): readonly Fact[]
}

interface Known {
  readonly isSaid: boolean
  readonly effect: Occurrence['effect']
}

export function createLeftFacts({ byMessage }: FactBook): LeftFacts {
  const covered = new Map<Fact, Known>()
  /** Left and not mentioned since. */
  const waiting = new Set<Fact>()
  const hidden = new Set<number>()

  function learn({ fact, origin, effect }: Occurrence): void {
    const before = covered.get(fact) ?? { isSaid: false, effect: null }
    covered.set(fact, {
      isSaid: before.isSaid || origin === 'said',
      effect: before.effect === 'changed' ? 'changed' : (effect ?? before.effect),
    })
  }
  return {
    isEmpty: () => covered.size === 0,
    cover(index) {
      if (hidden.has(index)) return
      hidden.add(index)
      for (const occurrence of byMessage[index] ?? []) {
        learn(occurrence)
        waiting.add(occurrence.fact)
      }
    },
    covered: () => new Map([...covered].map(([fact, known]) => [fact, kindOf(fact, known)])),
    takeNeeded: (index) => mentionsIn(byMessage[index] ?? []).filter((fact) => waiting.delete(fact)),
  }
}

/** User and model mention; what a tool shows mentions nothing. Whole sentences are not repeated but followed. */
function mentionsIn(occurrences: readonly Occurrence[]): readonly Fact[] {
  const facts = occurrences
    .filter(({ origin, fact: { kind } }) => origin === 'said' && !SENTENCES.has(kind))
    .map(({ fact }) => fact)
  return [...new Set(facts)]
}

function kindOf({ kind }: Fact, { isSaid, effect }: Known): Kind {
  if (!isSaid) return 'shown'
  if (kind !== 'file') return kind
  return effect === null ? 'file named' : `file ${effect}`
}
