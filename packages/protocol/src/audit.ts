import { z } from 'zod'

const agent = z.enum(['claude-code', 'codex', 'openclaw', 'pi', 'gemini-cli', 'opencode', 'other'])
const count = z.number()
/** Null: nobody knows. */
const known = z.number().nullable()
const text = z.string()

export const newAuditSchema = z
  .strictObject({
    /** Only sessions that were changed in so many days. */
    days: z.number().positive().max(36_500).optional(),
  })
  .meta({ id: 'NewAudit' })

export type NewAudit = z.input<typeof newAuditSchema>

const placeSchema = z
  .object({
    entryId: text,
    /** The message's number in the session, from 1. */
    message: count,
    at: known,
    by: z.enum(['user', 'assistant', 'tool']),
    /** The words around it. */
    excerpt: text,
  })
  .meta({ id: 'AuditPlace' })

export type AuditPlace = z.infer<typeof placeSchema>

const lossSchema = z.object({ kind: text, text, saidAt: placeSchema, neededAt: placeSchema }).meta({ id: 'AuditLoss' })

export type AuditLoss = z.infer<typeof lossSchema>

const source = z.enum(['recorded', 'measured'])

const compactionSchema = z
  .object({
    at: known,
    trigger: text.nullable(),
    tokensBefore: known,
    tokensAfter: known,
    tokensSource: source,
    facts: count,
    told: count,
    needed: count,
    lost: z.array(lossSchema),
    refetched: z.array(
      z.object({
        path: text.nullable(),
        command: text.nullable(),
        tokens: known,
        tokensSource: source,
        at: placeSchema,
      }),
    ),
    costUsd: known,
  })
  .meta({ id: 'AuditedCompaction' })

const headShape = {
  /** By which one session is asked for. */
  number: count,
  id: text,
  agent,
  agentName: text,
  title: text.nullable(),
  path: text,
  startedAt: known,
  messages: count,
  model: text.nullable(),
  windowTokens: known,
}

export const auditSessionSchema = z
  .object({ ...headShape, compactions: z.array(compactionSchema) })
  .meta({ id: 'AuditedSession' })

export type AuditSession = z.infer<typeof auditSessionSchema>

const sumsShape = { compactions: count, needed: count, lost: count, refetchedTokens: known, costUsd: known }

const overviewSchema = z
  .object({
    headline: text,
    /** The advice to the user if the audit found no compaction; null if it found one. */
    advice: text.nullable(),
    notes: z.array(text),
    totals: z.object({ ...sumsShape, sessions: count, unpriced: count }),
    agents: z.array(
      z.object({
        ...sumsShape,
        agent,
        name: text,
        sessions: count,
        unpriced: count,
        withLonghaul: z.object({ lost: count, refetchedTokensAtMost: known, costUsd: known }).nullable(),
        /** How it is run with Longhaul. */
        cure: text,
      }),
    ),
    worst: z.array(
      z.object({ ...lossSchema.shape, times: count, session: count, agentName: text, title: text.nullable() }),
    ),
    /** The sessions with compactions, most losses first. */
    sessions: z.array(z.object({ ...headShape, ...sumsShape })),
    /** How many sessions with compactions are not in the list. */
    moreSessions: count,
    problems: z.array(z.object({ path: text, line: known, reason: text })),
  })
  .meta({ id: 'AuditOverview' })

export const auditStatusSchema = z
  .object({
    state: z.enum(['none', 'running', 'done', 'failed']),
    /** How much has been read, from 0 to 1. */
    share: count,
    startedAt: known,
    endedAt: known,
    error: text.nullable(),
    /** The result of the last audit that was completed. */
    overview: overviewSchema.nullable(),
  })
  .meta({ id: 'AuditStatus' })

export type AuditStatus = z.infer<typeof auditStatusSchema>
