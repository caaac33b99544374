import { z } from 'zod'
import { contextItemSchema } from './context.ts'

/** What was sent to a model once, in numbers. */
const requestShape = {
  number: z.number(),
  at: z.number(),
  model: z.string(),
  /** `turn`, or what was done beside the conversation: `summary`, `flush`, `title`, `heartbeat`. */
  purpose: z.string(),
  /** As it was counted before it was sent. */
  tokens: z.number().nullable(),
  window: z.number().nullable(),
  source: z.enum(['reported', 'estimated', 'unknown']),
  itemCount: z.number(),
  /** Its bill, or why it failed; null while it runs. */
  outcome: z.record(z.string(), z.unknown()).nullable(),
}

export const requestSchema = z.object(requestShape).meta({ id: 'Request' })

export type Request = z.infer<typeof requestSchema>

/** Exactly what the model saw. */
export const requestDetailSchema = z
  .object({
    ...requestShape,
    /** Whether the text below is byte for byte what was sent; if not, `reason` says what changed since. */
    exact: z.boolean(),
    reason: z.string().nullable(),
    items: z.array(contextItemSchema.extend({ text: z.string().nullable() })),
  })
  .meta({ id: 'RequestDetail' })

export type RequestDetail = z.infer<typeof requestDetailSchema>
