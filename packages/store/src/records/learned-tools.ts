import { isRecord } from '@longhaul/engine/advanced'
import type { Learnt } from '@longhaul/engine/advanced'
import type { Learned, LearnedTool } from '../port/learned.ts'

type LearnedModels = Omit<Learned, 'getTool' | 'setTool'>

/** No model is called this way: the id of a model has no space before its slash. */
const PREFIX = 'tool '
const KEY = 'definition'

/**
 * Adds tools to what is learned of models. They lie in the same rows, under a name that no model has: so every backend,
 * and every backup there is, holds them without a table of their own.
 */
export function withLearnedTools(models: LearnedModels): Learned {
  return {
    ...models,
    async list() {
      return (await models.list()).filter(({ model }) => !model.startsWith(PREFIX))
    },
    async getTool(name) {
      const { calibrations } = await models.get(`${PREFIX}${name}`)
      return readTool(Object.hasOwn(calibrations, KEY) ? calibrations[KEY] : undefined)
    },
    setTool: (name, { digest, description, inputSchema }) =>
      models.setCalibration(`${PREFIX}${name}`, KEY, { digest, description, inputSchema } as unknown as Learnt),
  }
}

function readTool(value: unknown): LearnedTool | null {
  if (!isRecord(value)) return null
  const { digest, description, inputSchema } = value
  if (typeof digest !== 'string' || typeof description !== 'string' || typeof inputSchema !== 'string') return null
  return { digest, description, inputSchema }
}
