import { createRoute, z } from '@hono/zod-openapi'
import { apiErrorSchema, sessionEventSchema } from '@longhaul/protocol'
import { ApiFailure } from '../api-failure.ts'
import type { App, ServerContext } from '../server-context.ts'
import { answerWithEvents } from '../stream/event-stream.ts'
import { findTurnStart } from '../stream/find-turn-start.ts'
import { wasUsed } from '../stream/open-work.ts'
import { json, sessionParams } from './answers.ts'
import { findSession } from './find-session.ts'

const follow = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/events',
  summary: 'Everything that happens to a session, as it happens',
  description:
    'Goes on after `Last-Event-ID`; without it, from the turn of the message `since`, or from now on. Opening it goes on with what was left unanswered.',
  request: {
    params: sessionParams,
    headers: z.object({ 'last-event-id': z.string().max(50).optional() }),
    query: z.object({ after: z.string().max(50).optional(), since: z.string().max(200).optional() }),
  },
  responses: {
    200: {
      description: 'Until the client goes away. The answer’s own `Last-Event-ID` says where it starts.',
      content: { 'text/event-stream': { schema: sessionEventSchema } },
    },
    default: json(apiErrorSchema, 'What is wrong'),
  },
})

export function addEventRoutes(app: App, server: ServerContext): void {
  const { store, agent } = server.runtime

  app.openapi(follow, async (context) => {
    const { id } = await findSession(store, context.req.valid('param').id)
    const { after: afterQuery, since } = context.req.valid('query')
    const wanted = context.req.valid('header')['last-event-id'] ?? afterQuery
    const message = since === undefined ? null : await store.entries.find(id, since)
    const after =
      readEventId(wanted) ??
      (message === null ? await store.events.getLastId(id) : await findTurnStart(store, id, message))
    if (await wasUsed(store, id)) await agent.resume(id)
    context.header('last-event-id', String(after))
    return answerWithEvents(context, server, (signal) => server.follower.follow(id, { after, signal }))
  })
}

function readEventId(text: string | undefined): number | null {
  if (text === undefined || text === '') return null
  if (!/^\d{1,15}$/.test(text)) throw new ApiFailure('invalid-request', 'Event ids are whole numbers.')
  return Number(text)
}
