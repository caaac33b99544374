import type { Bench } from '../bench.ts'
import { formatCount } from '../report/format-number.ts'
import { measureOpening } from './opening.ts'
import { measurePostgresAppends } from './postgres-appends.ts'
import { measureSqliteAppends } from './sqlite-appends.ts'
import { createStoreReport } from './store-report.ts'

const SIZES = [100_000, 1_000_000]
const RUNS = 31
const QUICK_RUNS = 9

export const storeBench: Bench = {
  name: 'store',
  about: 'durable appends beside raw inserts, and opening long sessions',
  async run({ isQuick, note }) {
    note('appending to SQLite')
    const sqlite = await measureSqliteAppends(isQuick)
    note('appending to PostgreSQL')
    const postgres = await measurePostgresAppends(isQuick).catch((error: unknown) => String(error))
    note(`filling sessions of ${SIZES.map(formatCount).join(' and ')} entries, and opening them`)
    const opening = await measureOpening(SIZES, isQuick ? QUICK_RUNS : RUNS)
    return createStoreReport({ sqlite, opening, postgres })
  },
}
