import { shareOf, sumTallies } from '@longhaul/replay'
import type { Tally } from '@longhaul/replay'
import type { Goal } from '../report/goal.ts'
import { OURS, SEEDS } from './configurations.ts'
import { formatShare } from './format-share.ts'
import { KINDS } from './left-facts.ts'
import { nameOf } from './results.ts'
import type { Result } from './results.ts'

/** Of what is needed again, so much is in the context: percent by window. */
const MIN_NEEDED: Readonly<Record<number, number>> = { 32_000: 60, 64_000: 75, 128_000: 90 }
const MAX_LOSS_POINTS = 5

/** `paced` are the runs that were compacted at the same ten moments: they tell more where a policy hardly ever compacts. */
export function createGoals(results: readonly Result[], paced: readonly Result[]): readonly Goal[] {
  return [...goalsOf(results, ''), ...goalsOf(paced, 'ten moments, ')]
}

function goalsOf(results: readonly Result[], prefix: string): readonly Goal[] {
  const ours = results.filter(({ preset }) => preset === OURS)
  const goals = [
    wholeGoal(
      'pins are in every request',
      ours.map(({ pins }) => pins),
    ),
    wholeGoal(
      'the first ask is in every request',
      ours.map(({ firstAsk }) => firstAsk),
    ),
    wholeGoal(
      'the latest ask is in every request',
      ours.map(({ latestAsk }) => latestAsk),
    ),
    wholeGoal(
      'every file changed is named after 1, 3 and 10 compactions',
      ours.flatMap(({ snapshots }) => snapshots.map(({ kinds }) => kinds['file changed'])),
    ),
    ...ours.flatMap((result) => [neededGoal(result), aheadGoal(result, results)]),
    ...ours.flatMap((result) => [lastingGoal(result), lastingGoal(result, 'all')]),
  ]
  return goals.map((goal) => ({ ...goal, name: `${prefix}${goal.name}` }))
}

function wholeGoal(name: string, tallies: readonly Tally[]): Goal {
  const all = sumTallies(tallies)
  return { name, isHeld: all.of === 0 ? null : all.held === all.of, measured: `${formatShare(all)} of ${all.of}` }
}

function neededGoal(result: Result): Goal {
  const wanted = MIN_NEEDED[result.windowTokens] ?? 0
  const share = shareOf(result.needed)
  return {
    name: `${nameOf(result)}: of what is needed again, at least ${wanted} % is in the context`,
    isHeld: share === null ? null : share >= wanted,
    measured: result.needed.of === 0 ? 'nothing was compacted' : `${formatShare(result.needed)} of ${result.needed.of}`,
  }
}

function aheadGoal(ours: Result, results: readonly Result[]): Goal {
  const rivals = results.filter(
    ({ preset, windowTokens, summariser }) =>
      SEEDS.some((seed) => seed === preset) && windowTokens === ours.windowTokens && summariser === ours.summariser,
  )
  const share = shareOf(ours.needed)
  const best = Math.max(...rivals.map(({ needed }) => shareOf(needed) ?? 0))
  return {
    name: `${nameOf(ours)}: more than with any seed preset`,
    isHeld: share === null || rivals.length === 0 ? null : share > best,
    measured: `${formatShare(ours.needed)}; ${rivals.map(({ preset, needed }) => `${preset} ${formatShare(needed)}`).join(', ')}`,
  }
}

/** Kinds of what was said and done; what only flowed past in tool outputs is reported, not promised. “After one”: see LastingResult. */
function lastingGoal(result: Result, of: 'same' | 'all' = 'same'): Goal {
  const name = `${nameOf(result)}: after ten compactions no kind is more than ${MAX_LOSS_POINTS} points below its value after one, of ${of === 'same' ? 'the same facts' : 'all facts so far'}`
  if (result.lasting === null) return { name, isHeld: null, measured: 'no conversation came to ten' }
  const { first, last, allFirst, allLast } = result.lasting
  const [earlier, later] = of === 'same' ? [first, last] : [allFirst, allLast]
  const losses = KINDS.filter((kind) => kind !== 'shown').flatMap((kind) => {
    const [before, after] = [shareOf(earlier[kind]), shareOf(later[kind])]
    return before === null || after === null ? [] : [{ kind, before, after, points: before - after }]
  })
  const lost = losses.filter(({ points }) => points > MAX_LOSS_POINTS)
  const told = (lost.length === 0 ? losses : lost).toSorted((a, b) => b.points - a.points)
  return {
    name,
    isHeld: lost.length === 0,
    measured: told.map(({ kind, before, after }) => `${kind} ${before.toFixed(0)} → ${after.toFixed(0)}`).join(', '),
  }
}
