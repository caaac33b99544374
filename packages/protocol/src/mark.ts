import { z } from 'zod'

/** Something that was done to a session's context, for marking it on a timeline. Overflows are outcomes of requests. */
export const markSchema = z
  .object({
    id: z.string(),
    at: z.number(),
    kind: z.enum(['compaction', 'undo', 'flush', 'prune', 'trim', 'reset', 'model-change', 'failure']),
    /** What is known beside that: a reason, an outcome, the model's name; never the content of a message. */
    detail: z.string().nullable(),
  })
  .meta({ id: 'Mark' })
export type Mark = z.infer<typeof markSchema>
