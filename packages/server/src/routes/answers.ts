import { z } from '@hono/zod-openapi'
import { apiErrorSchema, storedRequestSchema } from '@longhaul/protocol'

/** How routes describe their answers: the good one, and the errors that all have in common. */
export function answers<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { 200: json(schema, description), ...failures }
}

export function created<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { 201: json(schema, description), ...failures }
}

const failures = { default: json(apiErrorSchema, 'What is wrong') }

export const noContent = { 204: { description: 'Done' }, ...failures }

/** For what a session's owner does between turns: where a turn goes on for long, nobody is left waiting. */
export const storedForLater = {
  202: json(
    storedRequestSchema,
    'Stored: it is done once what is under way has ended, or at the next call of the program that keeps the conversation. Do not send it again',
  ),
}

export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } }
}

/** An answer that is no JSON. */
export function text(mediaType: string, description: string) {
  return { 200: { description, content: { [mediaType]: { schema: z.string() } } }, ...failures }
}

/** The body of a request. */
export function body<Schema extends z.ZodType>(schema: Schema) {
  return { body: { required: true, content: { 'application/json': { schema } } } }
}

/** One whose fields can all be left out: without it, it is `{}`. */
export function optionalBody<Schema extends z.ZodType>(schema: Schema) {
  return { body: { required: false, content: { 'application/json': { schema } } } }
}

export const sessionParams = z.object({ id: z.string().max(200) })
