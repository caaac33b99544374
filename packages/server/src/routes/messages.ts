import { createRoute, z } from '@hono/zod-openapi'
import {
  acceptedSchema,
  apiErrorSchema,
  clampLimit,
  listOf,
  messageSchema,
  newMessageSchema,
  pageQuerySchema,
  sessionEventSchema,
} from '@longhaul/protocol'
import { ApiFailure } from '../api-failure.ts'
import { acceptMessage } from '../intake/accept-message.ts'
import { acceptsOnlyJson } from '../intake/accepts-only-json.ts'
import { refuseWhenDraining } from '../intake/refuse-when-draining.ts'
import { listMessages } from '../present/messages.ts'
import type { App, ServerContext } from '../server-context.ts'
import { answerWithEvents } from '../stream/event-stream.ts'
import { followTurn } from '../stream/follow-turn.ts'
import { answers, body, json, sessionParams } from './answers.ts'
import { findSession } from './find-session.ts'

const list = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/messages',
  summary: 'The originals, in order; those that wait stand last',
  request: { params: sessionParams, query: pageQuerySchema },
  responses: answers(listOf(messageSchema), 'A page of them; `before` pages backwards'),
})

const send = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/messages',
  summary: 'Send a message and follow its turn',
  request: { params: sessionParams, ...body(newMessageSchema) },
  responses: {
    200: {
      description: 'The events of the turn, from `message-stored` to `done`',
      content: { 'text/event-stream': { schema: sessionEventSchema } },
    },
    202: json(acceptedSchema, 'It is stored; the events are told elsewhere (for clients that accept only JSON)'),
    default: json(apiErrorSchema, 'What is wrong'),
  },
})

const LIMIT = { standard: 100, most: 500 }

export function addMessageRoutes(app: App, server: ServerContext): void {
  const { store } = server.runtime

  app.openapi(list, async (context) => {
    const { id } = await findSession(store, context.req.valid('param').id)
    const { after, before, limit } = context.req.valid('query')
    const page = await listMessages(store, id, {
      limit: clampLimit(limit, LIMIT),
      ...(after === undefined ? {} : { after: readSeq(after) }),
      ...(before === undefined ? {} : { before: readSeq(before) }),
    })
    return context.json({ items: [...page.items], next: page.next }, 200)
  })
  app.openapi(send, async (context) => {
    refuseWhenDraining(server)
    const { id: sessionId } = await findSession(store, context.req.valid('param').id)
    const turn = await acceptMessage(server, sessionId, context.req.valid('json'))
    if (acceptsOnlyJson(context.req.header('accept'))) return context.json({ id: turn.id, turnId: turn.id }, 202)
    return answerWithEvents(context, server, (signal) => followTurn(server, turn, signal))
  })
}

const seqSchema = z.string().regex(/^\d{1,15}$/)

function readSeq(text: string): number {
  if (!seqSchema.safeParse(text).success)
    throw new ApiFailure('invalid-request', '`after` and `before` are places in the transcript: whole numbers.')
  return Number(text)
}
