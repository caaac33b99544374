import { createRoute, z } from '@hono/zod-openapi'
import { clampLimit, listOf, pageQuerySchema, requestDetailSchema, requestSchema } from '@longhaul/protocol'
import { describeRequest } from '@longhaul/runtime'
import { ApiFailure } from '../api-failure.ts'
import { presentRequest, presentRequestDetail } from '../present/request.ts'
import type { App, ServerContext } from '../server-context.ts'
import { answers, sessionParams } from './answers.ts'
import { findSession } from './find-session.ts'

const list = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/requests',
  summary: 'What was sent to models, newest first',
  request: { params: sessionParams, query: pageQuerySchema.pick({ before: true, limit: true }) },
  responses: answers(listOf(requestSchema), 'One page; `next` is the `before` of the one that follows'),
})

const detail = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/requests/{number}',
  summary: 'Exactly what the model saw',
  request: {
    params: sessionParams.extend({
      number: z.coerce
        .number()
        .int()
        .min(0)
        .openapi({ param: { required: true } }),
    }),
  },
  responses: answers(requestDetailSchema, 'The request, made anew from the transcript'),
})

export function addRequestRoutes(app: App, { runtime }: ServerContext): void {
  const { store, agent } = runtime
  app.openapi(list, async (context) => {
    const { id } = await findSession(store, context.req.valid('param').id)
    const { before, limit } = context.req.valid('query')
    const page = await store.requests.list(id, {
      ...(before === undefined ? {} : { before: readNumber(before) }),
      limit: clampLimit(limit, { standard: 50, most: 200 }),
    })
    const next = page.next === null ? null : String(page.next)
    return context.json({ items: page.items.map(presentRequest), next }, 200)
  })
  app.openapi(detail, async (context) => {
    const { id, number } = context.req.valid('param')
    const view = await agent.inspect(id)
    const [settled, description] = await Promise.all([
      store.requests.get(id, number),
      describeRequest(store, view, number),
    ])
    if (settled === null || description === null)
      throw new ApiFailure('not-found', `Request ${number} of this session is not known, or not any more.`)
    return context.json(presentRequestDetail(settled, description), 200)
  })
}

function readNumber(cursor: string): number {
  const number = Number(cursor)
  if (!Number.isSafeInteger(number)) throw new ApiFailure('invalid-request', `before: ${cursor} is no number.`)
  return number
}
