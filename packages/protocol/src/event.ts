import { z } from 'zod'
import { errorCodeSchema } from './error.ts'

const json = z.record(z.string(), z.unknown())
const call = { id: z.string(), name: z.string(), input: json }

const bodies = [
  z.object({ type: z.literal('message-stored'), id: z.string() }),
  z.object({ type: z.literal('queued'), position: z.number() }),
  z.object({ type: z.literal('text-delta'), text: z.string() }),
  z.object({ type: z.literal('reasoning-delta'), text: z.string() }),
  z.object({ type: z.literal('tool-call'), ...call }),
  z.object({
    type: z.literal('approval-needed'),
    ...call,
    reason: z.string(),
    display: z.string().meta({
      description: 'What a person is shown: all of it, with control, format and bidi characters made visible.',
    }),
  }),
  z.object({
    type: z.literal('approval-settled'),
    id: z.string(),
    name: z.string(),
    allow: z.boolean(),
    by: z.enum(['person', 'time-out', 'cancel']),
  }),
  z.object({
    type: z.literal('tool-result'),
    id: z.string(),
    name: z.string(),
    output: z.string(),
    truncated: z.boolean(),
    isError: z.boolean(),
  }),
  z.object({ type: z.literal('flush-started') }),
  z.object({ type: z.literal('flush-completed'), wrote: z.boolean() }),
  z.object({
    type: z.literal('compact-started'),
    reason: z.string(),
    tokens: z.number().nullable(),
    threshold: z.number().nullable(),
  }),
  z.object({
    type: z.literal('compact-completed'),
    didCompact: z.boolean(),
    fallback: z.string().nullable(),
    tokensBefore: z.number(),
    tokensAfter: z.number(),
    score: z.number().nullable(),
  }),
  z.object({ type: z.literal('context-trimmed'), message: z.string() }),
  z.object({ type: z.literal('context-warning'), percent: z.number(), message: z.string().optional() }),
  z.object({ type: z.literal('retry'), attempt: z.number(), reason: z.string() }),
  z.object({
    type: z.literal('usage'),
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    cost: z.number().nullable(),
  }),
  z.object({ type: z.literal('response-complete'), id: z.string(), text: z.string() }),
  z.object({ type: z.literal('error'), code: errorCodeSchema, message: z.string() }),
  z.object({ type: z.literal('request-settled'), id: z.string(), outcome: json }),
  z.object({ type: z.literal('titled'), title: z.string() }),
  z.object({ type: z.literal('entries-added'), types: z.array(z.string()).readonly() }).meta({
    description: 'The program that keeps the conversation has added to it; `types` are those of the entries.',
  }),
  z.object({ type: z.literal('done') }),
] as const

const turnId = z.string().nullable().meta({ description: 'The id of the message it answers; null: beside any turn.' })

/** What happens to a session, as it happens. Clients leave alone what they do not know. */
export const sessionEventSchema = z
  .discriminatedUnion('type', bodies)
  .and(z.object({ turnId }))
  .meta({ id: 'SessionEvent' })

export type SessionEvent = z.infer<typeof sessionEventSchema>
export type SessionEventType = SessionEvent['type']
