import { isRecord } from '@longhaul/engine/advanced'
import type { Learnt } from '@longhaul/engine/advanced'
import type { Learned, LearnedTool } from '../port/learned.ts'
import { StoreError } from '../store-error.ts'

interface LearnedModels extends Omit<Learned, 'getTool' | 'setTool' | 'keepKey'> {
  /** Stores a value only where that model and estimator have none. Resolves once the value that holds is durable. */
  setCalibrationOnce(model: string, estimator: string, learnt: Learnt): Promise<void>
}

/** No model is called this way: the id of a model has no space before its slash. */
const PREFIX = 'tool '
const KEY = 'definition'
const KEYS_PREFIX = 'key '

/**
 * Adds tools and secret keys to what is learned of models. They lie in the same rows, under names that no model has: so
 * every backend, and every backup there is, holds them without a table of their own.
 */
export function withLearnedTools(models: LearnedModels): Learned {
  return {
    ...models,
    async list() {
      return (await models.list()).filter(({ model }) => !model.startsWith(PREFIX) && !model.startsWith(KEYS_PREFIX))
    },
    async getTool(name) {
      const { calibrations } = await models.get(`${PREFIX}${name}`)
      return readTool(Object.hasOwn(calibrations, KEY) ? calibrations[KEY] : undefined)
    },
    setTool: (name, { digest, description, inputSchema }) =>
      models.setCalibration(`${PREFIX}${name}`, KEY, { digest, description, inputSchema } as unknown as Learnt),
    async keepKey(name, candidate) {
      const model = `${KEYS_PREFIX}${name}`
      await models.setCalibrationOnce(model, KEY, { key: candidate } as unknown as Learnt)
      const { calibrations } = await models.get(model)
      const kept: unknown = calibrations[KEY]
      const key = isRecord(kept) ? kept['key'] : undefined
      if (typeof key !== 'string') throw new StoreError('damaged', `The stored key "${name}" cannot be read.`)
      return key
    },
  }
}

function readTool(value: unknown): LearnedTool | null {
  if (!isRecord(value)) return null
  const { digest, description, inputSchema } = value
  if (typeof digest !== 'string' || typeof description !== 'string' || typeof inputSchema !== 'string') return null
  return { digest, description, inputSchema }
}
