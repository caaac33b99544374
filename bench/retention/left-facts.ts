import type { View } from '@longhaul/engine/advanced'
import { holdsFact, pieceOf } from '@longhaul/replay'
import type { Fact, FactBook, Occurrence } from '@longhaul/replay'
import type { Context } from './context.ts'

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
const SENTENCES: ReadonlySet<Fact['kind']> = new Set(['ask', 'instruction', 'decision'])
export type Kind = (typeof KINDS)[number]

/** A fact that has left and that user or model then mention again; once for each time it left. */
export interface Need {
  readonly fact: Fact
  readonly kind: Kind
  /** Nobody had mentioned it before: only a tool had shown it. */
  readonly isShownOnly: boolean
  /** The message that mentions it again. */
  readonly message: number
  /** Its message was summarised or left out; or is still sent, but without it. */
  readonly how: 'covered' | 'pruned'
  readonly isKept: boolean
  readonly isBeside: boolean
}

/** What has left the messages of the context: facts, not yet whether something still tells them. */
export interface LeftFacts {
  isEmpty(): boolean
  /** A message is not sent any more. */
  cover(index: number): void
  /** A message is sent in a shorter form. */
  prune(index: number, item: View['items'][number]): void
  /** Facts of the covered messages. */
  covered(): ReadonlyMap<Fact, Kind>
  /** What message `index` mentions of them, seen from the context before it. */
  takeNeeds(index: number, context: Context): readonly Need[]
}

interface Known {
  isSaid: boolean
  effect: Occurrence['effect']
}

export function createLeftFacts({ byMessage }: FactBook): LeftFacts {
  const known = new Map<Fact, Known>()
  const covered = new Set<Fact>()
  /** Left and not mentioned since. */
  const waiting = new Map<Fact, Need['how']>()
  const hidden = new Set<number>()
  const shortened = new Map<number, unknown>()

  const learn = ({ fact, origin, effect }: Occurrence): void => {
    const before = known.get(fact) ?? { isSaid: false, effect: null }
    known.set(fact, {
      isSaid: before.isSaid || origin === 'said',
      effect: before.effect === 'changed' ? 'changed' : (effect ?? before.effect),
    })
  }
  return {
    isEmpty: () => known.size === 0,
    cover(index) {
      if (hidden.has(index)) return
      hidden.add(index)
      for (const occurrence of byMessage[index] ?? []) {
        learn(occurrence)
        covered.add(occurrence.fact)
        waiting.set(occurrence.fact, 'covered')
      }
    },
    prune(index, { message: { parts } }) {
      if (shortened.get(index) === parts) return
      shortened.set(index, parts)
      for (const occurrence of byMessage[index] ?? []) {
        if (holdsFact([pieceOf(parts)], occurrence.fact)) continue
        learn(occurrence)
        if (!waiting.has(occurrence.fact)) waiting.set(occurrence.fact, 'pruned')
      }
    },
    covered: () => new Map([...covered].map((fact) => [fact, kindOf(fact, known.get(fact))])),
    takeNeeds(index, { kept, beside }) {
      return mentionsIn(byMessage[index] ?? []).flatMap((fact) => {
        const how = waiting.get(fact)
        const facet = known.get(fact)
        if (how === undefined || facet === undefined) return []
        waiting.delete(fact)
        return {
          fact,
          kind: kindOf(fact, { ...facet, isSaid: true }),
          isShownOnly: !facet.isSaid,
          message: index,
          how,
          isKept: holdsFact(kept, fact),
          isBeside: holdsFact(beside, fact),
        }
      })
    },
  }
}

/** User and model mention; what a tool shows mentions nothing. Whole sentences are not repeated but followed. */
function mentionsIn(occurrences: readonly Occurrence[]): readonly Fact[] {
  const facts = occurrences
    .filter(({ origin, fact: { kind } }) => origin === 'said' && !SENTENCES.has(kind))
    .map(({ fact }) => fact)
  return [...new Set(facts)]
}

function kindOf({ kind }: Fact, { isSaid, effect }: Known = { isSaid: false, effect: null }): Kind {
  if (!isSaid) return 'shown'
  if (kind !== 'file') return kind
  return effect === null ? 'file named' : `file ${effect}`
}
