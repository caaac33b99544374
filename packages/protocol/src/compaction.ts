import { z } from 'zod'

const cited = { text: z.string(), sources: z.array(z.string()) }

export const compactionSchema = z
  .object({
    id: z.string(),
    at: z.number(),
    reason: z.string(),
    tokensBefore: z.number(),
    tokensAfter: z.number(),
    score: z.number().nullable(),
    /** The name of what made it. */
    strategy: z.string(),
    /** null: no model wrote it. */
    model: z.string().nullable(),
    /** The way without a model, where it was gone. */
    fallback: z.enum(['extractive', 'trim-oldest', 'trim-count']).nullable(),
    cost: z.number().nullable(),
    summary: z.string(),
    /** The summary line by line, with the ids of the messages each rests on. */
    items: z.array(z.object({ section: z.string(), status: z.enum(['open', 'done']), ...cited })),
    /** What code took from the messages, whatever the summary said. */
    ledger: z.array(z.object({ kind: z.string(), note: z.string().optional(), ...cited })),
    coveredIds: z.array(z.string()),
    undone: z.boolean(),
  })
  .meta({ id: 'Compaction' })

export type Compaction = z.infer<typeof compactionSchema>

export const compactSchema = z.strictObject({ instructions: z.string().max(10_000).optional() }).meta({ id: 'Compact' })
