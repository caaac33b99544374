import { z } from 'zod'
import { errorCodeSchema } from './error.ts'

const text = z.object({ type: z.literal('text'), text: z.string() })
const reasoning = z.object({ type: z.literal('reasoning'), text: z.string() })
const image = z.object({ type: z.literal('image'), image: z.string(), mediaType: z.string().optional() })
const file = z.object({
  type: z.literal('file'),
  data: z.string(),
  mediaType: z.string(),
  filename: z.string().optional(),
})
const toolCall = z.object({
  type: z.literal('tool-call'),
  toolCallId: z.string(),
  toolName: z.string(),
  input: z.record(z.string(), z.unknown()),
})
const toolResult = z.object({
  type: z.literal('tool-result'),
  toolCallId: z.string(),
  toolName: z.string(),
  output: z.union([z.string(), z.array(z.union([text, image, file]))]),
  isError: z.boolean().optional(),
  /** Where the whole output lies when it was cut before it was stored. */
  artifactId: z.string().optional(),
})
/** Named as in the AI SDK. */
const partSchema = z
  .union([text, reasoning, toolCall, toolResult, image, file])
  .meta({ id: 'Part', description: 'text, reasoning, image, file, tool-call or tool-result' })

export type Part = z.infer<typeof partSchema>

/** A message as it was stored; never rewritten. */
export const messageSchema = z
  .object({
    type: z.literal('message'),
    seq: z.number().nullable().meta({ description: 'Its place in the transcript; null while it waits.' }),
    id: z.string(),
    at: z.number(),
    role: z.enum(['user', 'assistant', 'tool']),
    parts: z.array(partSchema),
    usage: z.record(z.string(), z.unknown()).optional(),
    failure: z
      .object({ code: errorCodeSchema, message: z.string() })
      .optional()
      .meta({ description: 'Why the answer failed, as the event `error` told it.' }),
    /** Acknowledged, but not in the transcript yet. */
    queued: z.literal(true).optional(),
    /** In the transcript, and its answer is still to come. */
    owed: z.literal(true).optional(),
  })
  .loose()
  .meta({ id: 'Message' })

export type Message = z.infer<typeof messageSchema>

const MAX_ATTACHMENTS = 20

const mediaType = z.string().regex(/^[\w.+-]+\/[\w.+-]+$/)

/** Base64 without a heading: addresses are refused, so that no message makes a server fetch something. */
export const attachmentSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('image'), image: z.base64(), mediaType }),
  z.strictObject({
    type: z.literal('file'),
    data: z.base64(),
    mediaType,
    filename: z.string().max(255).optional(),
  }),
])

export type Attachment = z.infer<typeof attachmentSchema>

/** An id that the client makes. The store refuses `.` and `..` for everybody; the pattern tells clients beforehand. */
export const clientIdSchema = z
  .string()
  .regex(/^(?!\.{1,2}$)[\w.:-]{1,128}$/, 'An id is 1 to 128 letters, digits and _ . : -, and neither . nor ..')

export const newMessageSchema = z
  .strictObject({
    text: z.string(),
    id: clientIdSchema.optional(),
    attachments: z.array(attachmentSchema).max(MAX_ATTACHMENTS).optional(),
  })
  .meta({ id: 'NewMessage' })

export type NewMessage = z.infer<typeof newMessageSchema>

export const acceptedSchema = z.object({ id: z.string(), turnId: z.string() }).meta({ id: 'Accepted' })

export type Accepted = z.infer<typeof acceptedSchema>

/**
 * What a session was asked to do and will do once its turn is over, or, where another program keeps it, at that program's
 * next call; the event `request-settled` says what came of it.
 */
export const storedRequestSchema = z.object({ id: z.string(), message: z.string() }).meta({ id: 'StoredRequest' })
