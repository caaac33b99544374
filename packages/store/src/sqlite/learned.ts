import type { Learnt } from '@longhaul/engine/advanced'
import type { DatabaseSync } from 'node:sqlite'
import type { Learned, LearnedValues, LearnedWindow } from '../port/learned.ts'
import { parseObject } from '../records/entry-text.ts'
import { withLearnedTools } from '../records/learned-tools.ts'
import type { Database } from './database/database.ts'

export function createSqliteLearned(db: Database): Learned {
  const { connection } = db
  const select = connection.prepare('SELECT model, calibrations, context_window FROM learned WHERE model = ?')
  const selectAll = connection.prepare('SELECT model, calibrations, context_window FROM learned ORDER BY model')
  const write = prepareWriteLearned(connection)

  function read(model: string): LearnedValues {
    const row = select.get(model) as LearnedRow | undefined
    return row === undefined ? { calibrations: {}, window: null } : readLearnedRow(row)
  }

  return withLearnedTools({
    get: (model) => db.read(() => read(model)),
    async setCalibration(model, estimator, learnt) {
      // By way of JSON, as it will be read: the caller's object may change before its turn comes.
      const kept = JSON.parse(JSON.stringify(learnt)) as Learnt
      // After every bill: if the machine stops, the next bills teach the same again.
      await db.writeUnsynced(() => {
        const values = read(model)
        write(model, { ...values, calibrations: { ...values.calibrations, [estimator]: kept } })
      })
    },
    async setCalibrationOnce(model, estimator, learnt) {
      await db.write(() => {
        const values = read(model)
        if (Object.hasOwn(values.calibrations, estimator)) return
        write(model, { ...values, calibrations: { ...values.calibrations, [estimator]: learnt } })
      })
    },
    async setWindow(model, window) {
      const kept = window === null ? null : { tokens: window.tokens, at: window.at }
      await db.write(() => write(model, { ...read(model), window: kept }))
    },
    list: () =>
      db.read(() => {
        const rows = selectAll.all() as unknown as LearnedRow[]
        return rows.map((row) => ({ model: row.model, ...readLearnedRow(row) }))
      }),
  })
}

export interface LearnedRow {
  readonly model: string
  readonly calibrations: string
  readonly context_window: string | null
}

export function readLearnedRow({ model, calibrations, context_window: window }: LearnedRow): LearnedValues {
  const what = `What was learnt of ${model}`
  return {
    calibrations: parseObject<LearnedValues['calibrations']>(calibrations, what),
    window: window === null ? null : parseObject<LearnedWindow>(window, what),
  }
}

/** A model of which nothing is known any more has no row. */
export function prepareWriteLearned(connection: DatabaseSync): (model: string, values: LearnedValues) => void {
  const insert = connection.prepare(
    'INSERT OR REPLACE INTO learned (model, calibrations, context_window) VALUES (?, ?, ?)',
  )
  const remove = connection.prepare('DELETE FROM learned WHERE model = ?')
  return (model, { calibrations, window }) => {
    if (window === null && Object.keys(calibrations).length === 0) remove.run(model)
    else insert.run(model, JSON.stringify(calibrations), window === null ? null : JSON.stringify(window))
  }
}
