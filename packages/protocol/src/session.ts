import { z } from 'zod'

/** Costs are US dollars, times are milliseconds since 1970. */
export const sessionSchema = z
  .object({
    id: z.string(),
    title: z.string().nullable(),
    /** The program that keeps the conversation, such as `pi`: here it is read only. null: Longhaul keeps it. */
    origin: z.string().nullable(),
    model: z.string(),
    preset: z.string(),
    agent: z.string().nullable(),
    /** What the session's own policy changes of the preset, as far as the owner's configuration allows it. */
    policy: z.record(z.string(), z.unknown()),
    messageCount: z.number(),
    lastMessagePreview: z.string().nullable(),
    tokens: z.object({
      context: z.number().nullable(),
      window: z.number().nullable(),
      source: z.enum(['reported', 'estimated', 'unknown']),
      input: z.number(),
      output: z.number(),
    }),
    /** null: nobody knows what its calls cost. */
    cost: z.number().nullable(),
    /** Calls whose price nobody knows: the cost is what the others were. */
    unpricedCalls: z.number(),
    compactionCount: z.number(),
    /** The summary in force; null before the first compaction, and after a reset. */
    compactedSummary: z.string().nullable(),
    /** The time of the first message that the summary leaves in place. */
    compactBoundaryTimestamp: z.number().nullable(),
    /** Whole sentences for the user, such as that the window is too small for long conversations. */
    warnings: z.array(z.string()),
    createdAt: z.number(),
    updatedAt: z.number(),
  })
  .meta({ id: 'Session' })

export type Session = z.infer<typeof sessionSchema>

const title = z.string().max(500)
const name = z.string().min(1).max(200)
const policy = z.record(z.string().max(100), z.unknown())

export const newSessionSchema = z
  .strictObject({
    title: title.optional(),
    model: name.optional(),
    preset: name.optional(),
    agent: name.optional(),
    policy: policy.optional(),
  })
  .meta({ id: 'NewSession' })

export type NewSession = z.infer<typeof newSessionSchema>

export const sessionChangeSchema = z
  .strictObject({
    title: title.optional(),
    model: name.optional(),
    preset: name.optional(),
    policy: policy.optional(),
  })
  .meta({ id: 'SessionChange' })

export type SessionChange = z.infer<typeof sessionChangeSchema>

/** A session on one card: what `/status` shows. */
export const sessionStatusSchema = z
  .object({
    id: z.string(),
    title: z.string().nullable(),
    origin: z.string().nullable(),
    /** Wishes that wait for the next call of the program that keeps the conversation. */
    waiting: z.array(z.object({ id: z.string(), kind: z.string() })),
    model: z.string(),
    preset: z.string().nullable(),
    tokens: z.object({
      context: z.number().nullable(),
      window: z.number().nullable(),
      percent: z.number().nullable(),
      source: z.enum(['reported', 'estimated', 'unknown']),
      threshold: z.number().nullable(),
      input: z.number(),
      output: z.number(),
    }),
    windowSource: z.string(),
    learntWindow: z.number().nullable(),
    costUsd: z.number().nullable(),
    unpricedCalls: z.number(),
    messageCount: z.number(),
    compactionCount: z.number(),
    compactionFailures: z.number(),
    pins: z.number(),
    isExempt: z.boolean(),
    turnsLeft: z.number().nullable(),
    clamps: z.array(z.record(z.string(), z.unknown())),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'SessionStatus' })

export type SessionStatus = z.infer<typeof sessionStatusSchema>
