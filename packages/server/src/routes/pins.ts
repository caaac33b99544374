import { createRoute, z } from '@hono/zod-openapi'
import { listOf, newPinSchema, pinSchema } from '@longhaul/protocol'
import { askOwner } from '../intake/ask-owner.ts'
import { idOfRequest, idempotencyHeaders } from '../intake/idempotency.ts'
import type { App, ServerContext } from '../server-context.ts'
import { answers, body, created, noContent, sessionParams, storedForLater } from './answers.ts'
import { findSession } from './find-session.ts'

const list = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/pins',
  summary: 'What stands word for word in every request',
  request: { params: sessionParams },
  responses: answers(listOf(pinSchema), 'All pins'),
})

const add = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/pins',
  summary: 'Pin a text',
  request: { params: sessionParams, headers: idempotencyHeaders, ...body(newPinSchema) },
  responses: { ...created(pinSchema, 'The pin'), ...storedForLater },
})

const remove = createRoute({
  method: 'delete',
  path: '/api/sessions/{id}/pins/{pinId}',
  summary: 'Take a pin away',
  request: { params: sessionParams.extend({ pinId: z.string().max(200) }), headers: idempotencyHeaders },
  responses: { ...noContent, ...storedForLater },
})

/** What must stay before the model's eyes. */
export function addPinRoutes(app: App, { runtime }: ServerContext): void {
  const { store } = runtime

  app.openapi(list, async (context) => {
    const { head } = await findSession(store, context.req.valid('param').id)
    return context.json({ items: head.pins.map(({ id, text }) => ({ id, text })), next: null }, 200)
  })
  app.openapi(add, async (context) => {
    const { id: sessionId } = await findSession(store, context.req.valid('param').id)
    const text = context.req.valid('json').text.trim()
    const asked = await askOwner(runtime, {
      sessionId,
      kind: 'pin',
      payload: { text },
      signal: context.req.raw.signal,
      ...idOfRequest(context.req.valid('header')['idempotency-key']),
    })
    return asked.isDone ? context.json({ id: String(asked.result['id']), text }, 201) : context.json(asked.stored, 202)
  })
  app.openapi(remove, async (context) => {
    const { id: wanted, pinId: pin } = context.req.valid('param')
    const { id: sessionId } = await findSession(store, wanted)
    const asked = await askOwner(runtime, {
      sessionId,
      kind: 'unpin',
      payload: { pin },
      signal: context.req.raw.signal,
      ...idOfRequest(context.req.valid('header')['idempotency-key']),
    })
    return asked.isDone ? context.body(null, 204) : context.json(asked.stored, 202)
  })
}
