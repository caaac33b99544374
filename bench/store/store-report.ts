import type { BenchReport } from '../bench.ts'
import { formatCount, formatMs, formatTimes } from '../report/format-number.ts'
import type { Goal } from '../report/goal.ts'
import type { Table } from '@longhaul/replay'
import type { OpeningTimes } from './opening.ts'
import type { PairedRates } from './pairs.ts'
import type { PostgresAppends } from './postgres-appends.ts'
import type { SqliteAppends } from './sqlite-appends.ts'

export interface StoreNumbers {
  readonly sqlite: SqliteAppends
  readonly opening: readonly OpeningTimes[]
  /** A text says why there is none. */
  readonly postgres: readonly PostgresAppends[] | string
}

const MIN_SQLITE_SHARE = 0.6
const MIN_POSTGRES_SHARE = 0.5
const MAX_OPENING_MS = 50
const MAX_OPENING_GROWTH = 1.5

export function createStoreReport(numbers: StoreNumbers): BenchReport {
  return {
    tables: [appendTable(numbers), openingTable(numbers.opening)],
    goals: [sqliteGoal(numbers.sqlite), ...openingGoals(numbers.opening), ...postgresGoals(numbers.postgres)],
    numbers,
  }
}

function appendTable({ sqlite, postgres }: StoreNumbers): Table {
  const { oneByOne, sessions, togetherPerSecond, indexedPerSecond } = sqlite
  return {
    title: 'Durable appends a second, entries of about 540 bytes, one an append; medians of the rounds',
    columns: ['', 'raw inserts', 'Longhaul', 'share'],
    rows: [
      appendRow('SQLite, one session', oneByOne),
      [
        `SQLite, ${sessions} sessions at once`,
        '',
        formatCount(togetherPerSecond),
        formatShare(togetherPerSecond / oneByOne.rawPerSecond),
      ],
      ['SQLite, taken up for the search afterwards', '', formatCount(indexedPerSecond)],
      ...(typeof postgres === 'string' ? [] : postgres.map((one) => appendRow(postgresLabel(one), one))),
    ],
    notes: [
      'A raw insert: one row with the entry as JSON, a prepared statement, the same pragmas or the same pool, each synced.',
      'An append of Longhaul: the entry folded; lease, seq and epoch checked; entry, head and preview stored together.',
      ...(typeof postgres === 'string' ? [`PostgreSQL was left out: ${postgres}`] : []),
    ],
  }
}

function appendRow(label: string, rates: PairedRates): readonly string[] {
  return [label, formatCount(rates.rawPerSecond), formatCount(rates.oursPerSecond), formatShare(rates.share)]
}

function openingTable(opening: readonly OpeningTimes[]): Table {
  return {
    title: 'Opening a session on SQLite, from its head to the view of the next request',
    columns: ['', ...opening.map(({ entries }) => `${formatCount(entries)} entries`)],
    rows: [
      ['median', ...opening.map(({ session }) => formatMs(session.p50Ms))],
      ['95 of 100 runs are below', ...opening.map(({ session }) => formatMs(session.p95Ms))],
      ['messages in the view', ...opening.map(({ items }) => formatCount(items))],
    ],
    notes: ['The file is opened anew for each run: SQLite has read nothing of it yet, the operating system has.'],
  }
}

function sqliteGoal({ oneByOne }: SqliteAppends): Goal {
  return {
    name: `durable appends on SQLite reach at least ${formatShare(MIN_SQLITE_SHARE)} of raw inserts`,
    isHeld: oneByOne.share >= MIN_SQLITE_SHARE,
    measured: formatShare(oneByOne.share),
  }
}

function openingGoals(opening: readonly OpeningTimes[]): readonly Goal[] {
  const [short, long] = [opening.at(0), opening.at(-1)]
  if (short === undefined || long === undefined) return []
  const growth = long.session.p50Ms / short.session.p50Ms
  return [
    {
      name: `a session of ${formatCount(short.entries)} entries is open within ${MAX_OPENING_MS} ms`,
      isHeld: short.session.p50Ms <= MAX_OPENING_MS,
      measured: formatMs(short.session.p50Ms),
    },
    {
      name: `one of ${formatCount(long.entries)} takes at most ${formatTimes(MAX_OPENING_GROWTH)} that`,
      isHeld: growth <= MAX_OPENING_GROWTH,
      measured: formatTimes(growth),
    },
  ]
}

function postgresGoals(postgres: StoreNumbers['postgres']): readonly Goal[] {
  const wanted = `reach at least ${formatShare(MIN_POSTGRES_SHARE)} of raw inserts`
  if (typeof postgres === 'string') {
    return [{ name: `appends on PostgreSQL ${wanted}`, isHeld: null, measured: 'no server' }]
  }
  return postgres.map((one) => ({
    name: `appends on ${postgresLabel(one)} ${wanted}`,
    isHeld: one.share >= MIN_POSTGRES_SHARE,
    measured: formatShare(one.share),
  }))
}

function postgresLabel({ sessions }: PostgresAppends): string {
  return sessions === 1 ? 'PostgreSQL, one session' : `PostgreSQL, ${sessions} sessions at once`
}

function formatShare(share: number): string {
  return `${Math.round(share * 100)} %`
}
