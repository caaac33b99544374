import type { Learnt } from '@longhaul/engine/advanced'
import type { Learned, LearnedValues } from '../port/learned.ts'
import { parseObject } from '../records/entry-text.ts'
import { withLearnedTools } from '../records/learned-tools.ts'
import { contentOf } from './data.ts'
import type { Data, LearnedRow } from './data.ts'

export function createInMemoryLearned(data: Data): Learned {
  return withLearnedTools({
    async get(model) {
      return readLearned(contentOf(data).learned.get(model))
    },
    async setCalibration(model, estimator, learnt) {
      getRow(data, model).calibrationTexts.set(estimator, JSON.stringify(learnt))
    },
    async setCalibrationOnce(model, estimator, learnt) {
      const { calibrationTexts } = getRow(data, model)
      if (!calibrationTexts.has(estimator)) calibrationTexts.set(estimator, JSON.stringify(learnt))
    },
    async setWindow(model, window) {
      getRow(data, model).window = window === null ? null : { ...window }
    },
    async list() {
      return [...contentOf(data).learned].map(([model, row]) => ({ model, ...readLearned(row) }))
    },
  })
}

export function readLearned(row: LearnedRow | undefined): LearnedValues {
  const calibrations = [...(row?.calibrationTexts ?? [])].map(
    ([estimator, text]) => [estimator, parseObject<Learnt>(text, `What was learnt by ${estimator}`)] as const,
  )
  const window = row?.window ?? null
  return { calibrations: Object.fromEntries(calibrations), window: window === null ? null : { ...window } }
}

function getRow(data: Data, model: string): LearnedRow {
  const { learned } = contentOf(data)
  const row = learned.get(model) ?? { calibrationTexts: new Map<string, string>(), window: null }
  learned.set(model, row)
  return row
}
