import type { BenchReport } from '../bench.ts'
import { formatCount } from '../report/format-number.ts'
import type { Goal } from '../report/goal.ts'
import type { Table } from '@longhaul/replay'
import type { Origin } from './billed-sessions.ts'
import { cleared, compacted, next, unbilled } from './questions.ts'
import type { MeterNumbers, Question, Way } from './questions.ts'
import { spreadOf } from './spread.ts'
import type { Guess, Spread } from './spread.ts'

/** What the goal for the part not yet billed allows. */
const MISSING_SHARE = 0.25

interface Group {
  readonly name: string
  readonly numbers: MeterNumbers
}

const NAMES: Readonly<Record<Way, string>> = {
  longhaul: 'Longhaul',
  estimate: 'Longhaul, nothing learnt',
  characters: 'characters / 4',
  json: 'JSON length / 4',
  o200k: 'o200k tokenizer',
  stale: 'last bill in view + characters / 4',
  hindsight: 'o200k × what fits best afterwards',
}

export function createMeterReport(numbers: MeterNumbers): BenchReport {
  const groups = groupsOf(numbers)
  const tables = [next, unbilled, compacted, cleared].map((question) => errorTable(question, groups))
  return { tables: groups.length === 0 ? [] : tables, goals: groups.flatMap(goalsOf), numbers }
}

/** Claude Code sends reminders that its transcripts lack, so its numbers stand apart. */
function groupsOf({ requests, pruned, prefixes }: MeterNumbers): readonly Group[] {
  const select = (origin: Origin): MeterNumbers => ({
    requests: requests.filter((request) => request.origin === origin),
    pruned: pruned.filter((request) => request.origin === origin),
    prefixes: prefixes.filter((session) => session.origin === origin),
  })
  const claude = select('claude-code')
  const sound = claude.requests.filter(({ restsOnWholeBill }) => restsOnWholeBill)
  const groups = [
    { name: 'pi', numbers: select('pi') },
    { name: 'Claude Code', numbers: claude },
    { name: 'Claude Code, whole bills', numbers: { requests: sound, pruned: [], prefixes: [] } },
  ]
  return groups.filter((group) => group.numbers.requests.length > 0)
}

function errorTable({ title, ways, guess }: Question, groups: readonly Group[]): Table {
  return {
    title: `${title}: how far off`,
    columns: ['', ...groups.flatMap(({ name }) => [`${name}: median`, '95 of 100', 'worst'])],
    rows: ways.map((way) => [
      NAMES[way],
      ...groups.flatMap(({ numbers }) => {
        const { median, p95, worst } = spreadOf(guess(numbers, way))
        return [median, p95, worst].map(formatShare)
      }),
    ]),
    notes: [
      groups
        .map(({ name, numbers }) => `${name}: ${formatCount(guess(numbers, 'longhaul').length)} requests`)
        .join(', '),
      ...groups.flatMap(({ name, numbers }) => describeMissing(name, guess(numbers, 'hindsight'))),
    ],
  }
}

/** What even hindsight and an exact tokenizer cannot find was billed, but does not stand in the transcript. */
function describeMissing(name: string, guesses: readonly Guess[]): readonly string[] {
  const missing = guesses.filter(({ guessed, truth }) => guessed < truth * (1 - MISSING_SHARE)).length
  if (missing === 0) return []
  const share = `${formatCount(missing)} of ${formatCount(guesses.length)}`
  return [`${name}: in ${share}, over ${MISSING_SHARE * 100} % of the bill is for nothing that the transcript holds`]
}

function goalsOf({ name, numbers }: Group): readonly Goal[] {
  const spreadIn = (...questions: readonly Question[]): Spread =>
    spreadOf(questions.flatMap(({ guess }) => guess(numbers, 'longhaul')))
  const [total, rest, first] = [spreadIn(next), spreadIn(unbilled), spreadIn(compacted, cleared)]
  const warm = numbers.prefixes.reduce((sum, prefix) => sum + prefix.warm, 0)
  const changed = numbers.prefixes.reduce((sum, prefix) => sum + prefix.changed, 0)
  const goals: readonly Goal[] = [
    {
      name: `${name}: the next request within 0.05 % in the middle, 1 % in 95 of 100`,
      isHeld: isWithin(total, 0.0005, 0.01),
      measured: `${formatShare(total.median)}, ${formatShare(total.p95)}`,
    },
    {
      name: `${name}: the part not yet billed within 8 % in the middle, 25 % in 95 of 100`,
      isHeld: isWithin(rest, 0.08, 0.25),
      measured: `${formatShare(rest.median)}, ${formatShare(rest.p95)}`,
    },
    {
      name: `${name}: the first request after a compaction or a prune within 5 %`,
      isHeld: first.count === 0 ? null : first.worst <= 0.05,
      measured: `${formatShare(first.median)} in the middle, ${formatShare(first.worst)} at worst`,
    },
    {
      name: `${name}: on a warm cache, at most 2 % of the requests change what was sent before`,
      isHeld: warm === 0 ? null : changed / warm <= 0.02,
      measured: `${changed} of ${formatCount(warm)}`,
    },
  ]
  return goals.filter(({ isHeld }) => isHeld !== null)
}

function isWithin({ count, median, p95 }: Spread, maxMedian: number, maxP95: number): boolean | null {
  return count === 0 ? null : median <= maxMedian && p95 <= maxP95
}

function formatShare(share: number): string {
  if (Number.isNaN(share)) return '–'
  const percent = share * 100
  return `${percent.toFixed(percent < 1 ? 3 : 1)} %`
}
