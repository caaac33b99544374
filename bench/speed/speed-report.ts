import type { BenchReport } from '../bench.ts'
import { formatCount, formatMs, formatTimes } from '../report/format-number.ts'
import type { Goal } from '../report/goal.ts'
import type { Table } from '@longhaul/replay'
import type { EngineCosts } from './engine-costs.ts'
import type { Timing } from './measure-time.ts'
import type { PeerTime } from './peer-times.ts'
import type { TurnTimes } from './turns.ts'

export interface SpeedNumbers {
  readonly turns: readonly TurnTimes[]
  readonly peerTimes: readonly PeerTime[]
  /** The peers again, on no more messages than the window of a compacted session holds. */
  readonly windowTimes: readonly PeerTime[]
  readonly costs: EngineCosts
}

const MAX_GROWTH = 1.5
const MAX_REQUEST_MS: Readonly<Record<number, number>> = { 10_000: 1 }
const MIN_FASTER: Readonly<Record<number, number>> = { 10_000: 10, 100_000: 50 }
const MAX_TRUNCATION_MS = 10
const MAX_CHECK_MS = 5

export function createSpeedReport(numbers: SpeedNumbers): BenchReport {
  return {
    tables: [
      turnTable(numbers),
      ...(numbers.peerTimes.length === 0 ? [] : [windowTable(numbers)]),
      costTable(numbers.costs),
    ],
    goals: [...turnGoals(numbers), ...costGoals(numbers.costs)],
    numbers,
  }
}

function turnTable({ turns, peerTimes }: SpeedNumbers): Table {
  return {
    title: 'Time per request, median of the runs',
    columns: ['', ...turns.map(({ size }) => `${formatCount(size)} messages`)],
    rows: [
      ['Longhaul: nextRequest, 200k window, compacted', ...turns.map(({ request }) => formatMs(request.p50Ms))],
      ['  mean', ...turns.map(({ request }) => formatMs(request.meanMs))],
      ['  95 of 100 requests are below', ...turns.map(({ request }) => formatMs(request.p95Ms))],
      ['  the adds of a turn before it', ...turns.map(({ add }) => formatMs(add.p50Ms))],
      ['  messages in the window, in the middle', ...turns.map(({ windowMessages }) => formatCount(windowMessages))],
      ['Longhaul: nextRequest with every message in view', ...turns.map(({ whole }) => formatMs(whole.p50Ms))],
      ...tasksOf(peerTimes).map(({ label, times }) => [label, ...times.map(cellOf)]),
    ],
    notes: [
      'nextRequest of createContext does what is due, and returns a request that is valid to send. A turn adds two to four messages before it, with the check after a reply.',
      'A peer: one call on the whole conversation, which is what its interface takes. It is not the same work.',
      '(not run): one call would take too long, as the smaller size shows.',
    ],
  }
}

function windowTable({ turns, windowTimes }: SpeedNumbers): Table {
  const ours = turns.at(-1)?.request
  return {
    title: 'For fairness: the peers on the window alone, as if somebody had cut the conversation for them',
    columns: ['', `${formatCount(windowTimes[0]?.size ?? 0)} messages`, 'requests of Longhaul'],
    rows: tasksOf(windowTimes).map(({ label, times: [time] }) => [
      label,
      time === undefined ? '' : cellOf(time),
      ours === undefined || !time?.timing ? '' : formatTimes(time.timing.p50Ms / ours.p50Ms),
    ]),
  }
}

function costTable(costs: EngineCosts): Table {
  const { check, full, truncation } = costs
  return {
    title: 'The engine’s other steps',
    columns: ['', 'median', '95 of 100'],
    rows: [
      timingRow(`nextRequest in a full 200k window (${formatCount(full.messages)} messages), just opened`, full.first),
      timingRow('the same again', full.again),
      timingRow('adding a reply and the check after it, 100,000 messages', check.passing),
      timingRow('the same in a full window, with the plan of the compaction', check.due),
      timingRow('truncating a tool output of 1 MB: a text', truncation.text),
      timingRow('truncating a tool output of 1 MB: a JSON value', truncation.json),
    ],
  }
}

function turnGoals({ turns, peerTimes }: SpeedNumbers): readonly Goal[] {
  const [young, old] = [turns.at(0), turns.at(-1)]
  if (young === undefined || old === undefined) return []
  // The same turns in the same window: their fastest times differ by nothing but the length of the history.
  const growth = old.requestBestMs / young.requestBestMs
  const byMedian = formatTimes(old.request.p50Ms / young.request.p50Ms)
  const byMean = formatTimes(old.request.meanMs / young.request.meanMs)
  return [
    {
      name: `nextRequest at ${formatCount(old.size)} messages costs at most ${MAX_GROWTH}× one at ${formatCount(young.size)}`,
      isHeld: growth <= MAX_GROWTH,
      measured: `${formatTimes(growth)} by the best runs (${byMedian} by medians, ${byMean} by means)`,
    },
    ...turns.flatMap(({ size, request }): readonly Goal[] => {
      const maxMs = MAX_REQUEST_MS[size]
      if (maxMs === undefined) return []
      const name = `nextRequest at ${formatCount(size)} messages takes at most ${maxMs} ms in the middle`
      return [{ name, isHeld: request.p50Ms <= maxMs, measured: formatMs(request.p50Ms) }]
    }),
    ...turns.flatMap((turn) => {
      const wanted = MIN_FASTER[turn.size]
      return wanted === undefined ? [] : [fasterGoal(turn, wanted, peerTimes)]
    }),
  ]
}

/** Held by medians and by the best runs: on a busy machine, long calls are interrupted more often than short ones. */
function fasterGoal({ size, request, requestBestMs }: TurnTimes, wanted: number, peerTimes: readonly PeerTime[]): Goal {
  const name = `at ${formatCount(size)} messages at least ${wanted}× faster per request than the fastest peer`
  const measured = peerTimes.flatMap(({ size: theirSize, timing, peer, task }) =>
    theirSize === size && timing !== null ? [{ timing, label: `${peer} ${task}` }] : [],
  )
  const [fastest] = measured.toSorted((a, b) => a.timing.p50Ms - b.timing.p50Ms)
  if (fastest === undefined) return { name, isHeld: null, measured: 'no peer was measured' }
  const { timing, label } = fastest
  const byMedian = timing.p50Ms / request.p50Ms
  const byBest = timing.bestMs / requestBestMs
  const byMean = formatTimes(timing.meanMs / request.meanMs)
  return {
    name,
    isHeld: Math.min(byMedian, byBest) >= wanted,
    measured: `${formatTimes(byMedian)} by medians, ${formatTimes(byBest)} by the best runs (${byMean} by means); ${label}`,
  }
}

function costGoals({ truncation, check }: EngineCosts): readonly Goal[] {
  return [
    {
      name: `ONE-08: truncating 1 MB takes less than ${MAX_TRUNCATION_MS} ms`,
      isHeld: Math.max(truncation.text.p50Ms, truncation.json.p50Ms) < MAX_TRUNCATION_MS,
      measured: `${formatMs(truncation.text.p50Ms)} for a text, ${formatMs(truncation.json.p50Ms)} for a JSON value`,
    },
    {
      name: `ONE-06: the check after a response takes less than ${MAX_CHECK_MS} ms`,
      isHeld: check.passing.p50Ms < MAX_CHECK_MS && check.due.p50Ms < MAX_CHECK_MS,
      measured: `${formatMs(check.passing.p50Ms)}, in a full window ${formatMs(check.due.p50Ms)}`,
    },
  ]
}

/** One row for each task of each peer, its times in the order of the sizes. */
function tasksOf(
  peerTimes: readonly PeerTime[],
): readonly { readonly label: string; readonly times: readonly PeerTime[] }[] {
  const labels = new Set(peerTimes.map(({ peer, task }) => `${peer} ${task}`))
  return [...labels].map((label) => ({
    label,
    times: peerTimes.filter(({ peer, task }) => `${peer} ${task}` === label),
  }))
}

function cellOf({ timing }: PeerTime): string {
  return timing === null ? '(not run)' : formatMs(timing.p50Ms)
}

function timingRow(label: string, { p50Ms, p95Ms }: Timing): readonly string[] {
  return [label, formatMs(p50Ms), formatMs(p95Ms)]
}
