import { z } from 'zod'

const price = z.object({
  /** US dollars for a million tokens. */
  input: z.number(),
  output: z.number(),
  cacheRead: z.number().nullable(),
  cacheWrite: z.number().nullable(),
})

export const modelSchema = z
  .object({
    id: z.string(),
    contextWindow: z.number().nullable(),
    maxOutput: z.number().nullable(),
    /** null: nobody knows it. */
    price: price.nullable().optional(),
    /** False: its provider has no key, or is not configured. */
    available: z.boolean(),
  })
  .meta({ id: 'Model' })

export type Model = z.infer<typeof modelSchema>

export const presetSchema = z
  .object({ name: z.string(), policy: z.record(z.string(), z.unknown()) })
  .meta({ id: 'Preset' })

export type Preset = z.infer<typeof presetSchema>

export const healthSchema = z
  .object({ status: z.literal('ok'), version: z.string(), store: z.string() })
  .meta({ id: 'Health' })

export type Health = z.infer<typeof healthSchema>

export const readySchema = z.object({ status: z.enum(['ready', 'not-ready']) }).meta({ id: 'Ready' })
