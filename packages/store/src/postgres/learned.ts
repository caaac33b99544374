import type { Learnt } from '@longhaul/engine/advanced'
import type { Learned, LearnedValues } from '../port/learned.ts'
import { parseObject } from '../records/entry-text.ts'
import { withLearnedTools } from '../records/learned-tools.ts'
import type { Database } from './database/database.ts'
import { toKey } from './database/keys.ts'
import type { Query } from './database/statements.ts'
import type { Tables } from './database/tables.ts'

export function createPostgresLearned({ tables, read, write }: Database): Learned {
  return withLearnedTools({
    async get(model) {
      const [found] = await readLearned(read, tables, toKey(model))
      const { calibrations = {}, window = null } = found ?? {}
      return { calibrations, window }
    },
    async setCalibration(model, estimator, learnt) {
      await insertCalibration(write, tables, model, estimator, learnt)
    },
    async setCalibrationOnce(model, estimator, learnt) {
      await write(
        `insert into ${tables.learned} (model, estimator, learnt) values ($1, $2, $3) on conflict (model, estimator) do nothing`,
        [model, estimator, JSON.stringify(learnt)],
      )
    },
    async setWindow(model, window) {
      if (window === null) await write(`delete from ${tables.learned_windows} where model = $1`, [toKey(model)])
      else await insertWindow(write, tables, model, window)
    },
    list: () => readLearned(read, tables),
  })
}

/** Of one model, or of all. */
export async function readLearned(
  query: Query,
  tables: Tables,
  model?: string,
): Promise<readonly (LearnedValues & { readonly model: string })[]> {
  const rows = await query<{
    model: string
    estimator: string | null
    learnt: string | null
    tokens: number | null
    at: number | null
  }>(
    `select model, l.estimator, l.learnt, w.tokens, w.at
    from ${tables.learned} l full join ${tables.learned_windows} w using (model)
    ${model === undefined ? '' : 'where model = $1'} order by model, l.estimator`,
    model === undefined ? [] : [model],
  )
  return [...Map.groupBy(rows, (row) => row.model)].map(([name, group]) => {
    const calibrations = group.flatMap(({ estimator, learnt }) =>
      estimator === null || learnt === null
        ? []
        : [[estimator, parseObject<Learnt>(learnt, `What was learnt about ${name}`)] as const],
    )
    const [first] = group
    const window =
      first?.tokens === null || first?.at === null || first === undefined
        ? null
        : { tokens: first.tokens, at: first.at }
    return { model: name, calibrations: Object.fromEntries(calibrations), window }
  })
}

export async function insertCalibration(
  query: Query,
  tables: Tables,
  model: string,
  estimator: string,
  learnt: Learnt,
): Promise<void> {
  await query(
    `insert into ${tables.learned} (model, estimator, learnt) values ($1, $2, $3)
    on conflict (model, estimator) do update set learnt = excluded.learnt`,
    [model, estimator, JSON.stringify(learnt)],
  )
}

export async function insertWindow(
  query: Query,
  tables: Tables,
  model: string,
  { tokens, at }: NonNullable<LearnedValues['window']>,
): Promise<void> {
  await query(
    `insert into ${tables.learned_windows} (model, tokens, at) values ($1, $2, $3)
    on conflict (model) do update set tokens = excluded.tokens, at = excluded.at`,
    [model, tokens, at],
  )
}
