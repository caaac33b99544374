import { sumTallies } from '@longhaul/replay'
import type { Tally } from '@longhaul/replay'
import type { Configuration } from './configurations.ts'
import type { Conversation } from './conversation.ts'
import { KINDS } from './left-facts.ts'
import type { Kind } from './left-facts.ts'
import { MAX_COMPACTIONS, createMeasure } from './measure.ts'
import type { Measure } from './measure.ts'
import { PIN_TEXTS, replay } from './replay.ts'
import type { Replayed } from './replay.ts'

/** What one configuration did to all conversations that it had to shorten. */
export interface Result extends Replayed {
  readonly preset: string
  readonly windowTokens: number
  readonly summariser: string
  /** Conversations that were shortened; the others are left out. */
  readonly sessions: number
  /** Needed again after a compaction or trim covered them: in the context at that moment. */
  readonly needed: Tally
  readonly pins: Tally
  readonly firstAsk: Tally
  readonly latestAsk: Tally
  /** After 1, 3 and 10 compactions. */
  readonly snapshots: readonly SnapshotResult[]
  /** null: no conversation was compacted ten times. */
  readonly lasting: LastingResult | null
}

interface SnapshotResult {
  readonly compactions: number
  readonly sessions: number
  readonly kinds: Readonly<Record<Kind, Tally>>
}

/**
 * Conversations compacted ten times. `first` and `last` are the same facts: those that the first compaction covered, or the
 * first by which there were a few of the kind. All facts so far grow without end, and in the end no window holds them.
 */
interface LastingResult {
  readonly first: Readonly<Record<Kind, Tally>>
  readonly last: Readonly<Record<Kind, Tally>>
  /** All facts so far, when the kind was first covered and after ten compactions. */
  readonly allFirst: Readonly<Record<Kind, Tally>>
  readonly allLast: Readonly<Record<Kind, Tally>>
}

/** The configuration without its preset, as tables and goals call it. */
export function nameOf({ windowTokens, summariser }: Result): string {
  return `${windowTokens / 1_000}k, ${summariser}`
}

const SHOWN_COMPACTIONS = [1, 3, MAX_COMPACTIONS]

interface Run {
  readonly measure: Measure
  readonly replayed: Replayed
}

/** `compactAt` says before which messages a conversation is compacted by hand. */
export async function measureConfiguration(
  { preset, policy, windowTokens, summariser: { name, ask } }: Configuration,
  conversations: readonly Conversation[],
  compactAt: (conversation: Conversation) => ReadonlySet<number>,
): Promise<Result> {
  const runs: Run[] = []
  for (const conversation of conversations) {
    const measure = createMeasure(conversation)
    const options = { policy, windowTokens, ask, compactAt: compactAt(conversation), pins: PIN_TEXTS }
    runs.push({ measure, replayed: await replay(conversation, options, measure) })
  }
  return { preset, windowTokens, summariser: name, ...sumRuns(runs) }
}

function sumRuns(all: readonly Run[]): Omit<Result, 'preset' | 'windowTokens' | 'summariser'> {
  const runs = all.filter(({ replayed: { compactions, trims } }) => compactions + trims > 0)
  const total = (key: keyof Replayed): number => runs.reduce((sum, { replayed }) => sum + replayed[key], 0)
  const compacted = runs.filter(({ replayed }) => replayed.compactions > 0)
  const summed = compacted.reduce((sum, { replayed }) => sum + replayed.summaryTokens * replayed.compactions, 0)
  return {
    sessions: runs.length,
    compactions: total('compactions'),
    trims: total('trims'),
    failures: total('failures'),
    summaryTokens: summed / Math.max(1, total('compactions')),
    needed: sumTallies(runs.map(({ measure }) => measure.needed)),
    pins: sumTallies(runs.map(({ measure }) => measure.pins)),
    firstAsk: sumTallies(runs.map(({ measure }) => measure.firstAsk)),
    latestAsk: sumTallies(runs.map(({ measure }) => measure.latestAsk)),
    snapshots: SHOWN_COMPACTIONS.map((count) => sumSnapshots(runs, count)),
    lasting: sumLasting(runs),
  }
}

function sumSnapshots(runs: readonly Run[], compactions: number): SnapshotResult {
  const snapshots = runs.flatMap(({ measure }) => measure.snapshots.get(compactions) ?? [])
  return {
    compactions,
    sessions: snapshots.length,
    kinds: byKind((kind) => sumTallies(snapshots.flatMap((kinds) => kinds.get(kind) ?? []))),
  }
}

function sumLasting(runs: readonly Run[]): LastingResult | null {
  const long = runs.filter(({ measure: { snapshots } }) => snapshots.has(MAX_COMPACTIONS))
  if (long.length === 0) return null
  const tallyOf = (kind: Kind, when: 'first' | 'last'): Tally =>
    sumTallies(long.flatMap(({ measure: { cohorts } }) => cohorts.get(kind)?.[when] ?? []))
  const allOf = (kind: Kind, find: (known: readonly Tally[]) => Tally | undefined): Tally =>
    sumTallies(long.flatMap(({ measure }) => find(talliesOf(measure, kind)) ?? []))
  return {
    first: byKind((kind) => tallyOf(kind, 'first')),
    last: byKind((kind) => tallyOf(kind, 'last')),
    allFirst: byKind((kind) => allOf(kind, (known) => known[0])),
    allLast: byKind((kind) => allOf(kind, (known) => known.at(-1))),
  }
}

/** After each compaction by which there was something of the kind. */
function talliesOf({ snapshots }: Measure, kind: Kind): readonly Tally[] {
  return [...snapshots.values()].flatMap((kinds) => kinds.get(kind) ?? [])
}

function byKind(tally: (kind: Kind) => Tally): Readonly<Record<Kind, Tally>> {
  return Object.fromEntries(KINDS.map((kind) => [kind, tally(kind)])) as Record<Kind, Tally>
}
