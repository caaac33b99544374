import {
  createMoveMeter,
  createPruneEntry,
  createStrategies,
  createTrimEntry,
  planNext,
  runCompaction,
} from '@longhaul/engine/advanced'
import type { CheckPoint, CompactionPlan, Plan } from '@longhaul/engine/advanced'
import { appendEntry, contextOf, policy } from './place.ts'
import type { Place, Unwritten } from './place.ts'
import { createScriptedDocument, createScriptedStrategy } from './scripted-strategy.ts'

const MAX_STEPS = 20
const strategies = createStrategies([createScriptedStrategy(policy.compaction.strategy)])

/** Does what is due until nothing is. A prepared compaction is ready at once, because nobody has to write it. */
export async function maintain(place: Place, checkPoint: CheckPoint): Promise<Place> {
  let next = place
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const entry = await carryOut(next, planNext({ ...contextOf(next), checkPoint, now: next.now }))
    if (entry === null) return next
    next = appendEntry(next, entry)
  }
  throw new Error('maintenance does not end')
}

/** A base that leaves nothing but a summary. */
export function summariseAll(place: Place): Place {
  const { base, lastSeq } = place.state.head
  return appendEntry(place, {
    type: 'compaction',
    fromSeq: lastSeq + 1,
    firstKept: null,
    carried: [],
    previous: base.entry,
    document: createScriptedDocument(0, []),
    reason: 'manual',
    strategy: 'scripted',
    model: null,
    tokensBefore: 0,
    tokensAfter: 0,
  })
}

async function carryOut(place: Place, plan: Plan): Promise<Unwritten | null> {
  switch (plan.action) {
    case 'prune':
      return createPruneEntry(plan.prune)
    case 'flush':
      return { type: 'flush', outcome: 'silent' }
    case 'trim':
      return createTrimEntry(plan.trim, contextOf(place))
    case 'compact':
    case 'prepare':
      return compact(place, plan.compaction)
    case 'proceed':
    case 'block':
      return null
    default:
      return plan satisfies never
  }
}

async function compact(place: Place, plan: CompactionPlan): Promise<Unwritten> {
  if (place.limits === null) throw new Error('a compaction was planned without a window')
  const outcome = await runCompaction({
    plan,
    policy,
    limits: place.limits,
    strategies,
    ask: () => Promise.reject(new Error('the scripted strategy asks no model')),
    signal: { aborted: false },
    measureAfter: createMoveMeter(contextOf(place)),
  })
  if (outcome.kind === 'compacted') return outcome.entry
  throw new Error(`the scripted compaction did not work: ${JSON.stringify(outcome)}`)
}
