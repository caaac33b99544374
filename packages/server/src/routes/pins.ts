import { createRoute, z } from '@hono/zod-openapi'
import { listOf, newPinSchema, pinSchema, recalledSchema } from '@longhaul/protocol'
import { runCommand } from '@longhaul/runtime'
import { askOwner } from '../intake/ask-owner.ts'
import type { App, ServerContext } from '../server-context.ts'
import { answers, body, created, noContent, sessionParams } from './answers.ts'
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
  request: { params: sessionParams, ...body(newPinSchema) },
  responses: created(pinSchema, 'The pin'),
})

const remove = createRoute({
  method: 'delete',
  path: '/api/sessions/{id}/pins/{pinId}',
  summary: 'Take a pin away',
  request: { params: sessionParams.extend({ pinId: z.string().max(200) }) },
  responses: noContent,
})

const recall = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/recall',
  summary: 'Find earlier messages, word for word',
  request: { params: sessionParams, query: z.object({ query: z.string().min(1).max(1_000) }) },
  responses: answers(listOf(recalledSchema), 'Best first'),
})

/** What must stay before the model's eyes, and what can be brought back before them. */
export function addPinRoutes(app: App, { runtime }: ServerContext): void {
  const { store } = runtime

  app.openapi(list, async (context) => {
    const { head } = await findSession(store, context.req.valid('param').id)
    return context.json({ items: head.pins.map(({ id, text }) => ({ id, text })), next: null }, 200)
  })
  app.openapi(add, async (context) => {
    const { id: sessionId } = await findSession(store, context.req.valid('param').id)
    const text = context.req.valid('json').text.trim()
    const { id } = await askOwner(runtime, {
      sessionId,
      kind: 'pin',
      payload: { text },
      signal: context.req.raw.signal,
    })
    return context.json({ id: String(id), text }, 201)
  })
  app.openapi(remove, async (context) => {
    const { id: wanted, pinId: pin } = context.req.valid('param')
    const { id: sessionId } = await findSession(store, wanted)
    await askOwner(runtime, { sessionId, kind: 'unpin', payload: { pin }, signal: context.req.raw.signal })
    return context.body(null, 204)
  })
  app.openapi(recall, async (context) => {
    const { id: sessionId } = await findSession(store, context.req.valid('param').id)
    const { query } = context.req.valid('query')
    const result = await runCommand(`/recall ${query}`, { ...runtime, sessionId, signal: context.req.raw.signal })
    return context.json({ items: result.command === 'recall' ? [...result.found] : [], next: null }, 200)
  })
}
