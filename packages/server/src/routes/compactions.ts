import { createRoute, z } from '@hono/zod-openapi'
import { compactSchema, compactionSchema, listOf } from '@longhaul/protocol'
import { askOwner } from '../intake/ask-owner.ts'
import { idOfRequest, idempotencyHeaders } from '../intake/idempotency.ts'
import { refuseWhenDraining } from '../intake/refuse-when-draining.ts'
import { presentCompaction, presentNewCompaction } from '../present/compaction.ts'
import type { App, ServerContext } from '../server-context.ts'
import { answers, optionalBody, sessionParams, storedForLater } from './answers.ts'
import { findSession } from './find-session.ts'

const list = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/compactions',
  summary: 'Every compaction, newest first; those taken back too',
  request: { params: sessionParams },
  responses: answers(listOf(compactionSchema), 'All of them'),
})

const compact = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/compact',
  summary: 'Summarise older messages now',
  request: { params: sessionParams, headers: idempotencyHeaders, ...optionalBody(compactSchema) },
  responses: { ...answers(compactionSchema, 'The compaction'), ...storedForLater },
})

const undo = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/undo',
  summary: 'Take the last compaction back',
  request: { params: sessionParams, headers: idempotencyHeaders },
  responses: {
    ...answers(z.object({ undone: z.array(z.string()), tokens: z.number().nullable() }), 'What was taken back'),
    ...storedForLater,
  },
})

const COMPACT_TIMEOUT_MS = 290_000

export function addCompactionRoutes(app: App, server: ServerContext): void {
  const { runtime, compactions } = server
  const { store } = runtime

  app.openapi(list, async (context) => {
    const records = await compactions.read(await findSession(store, context.req.valid('param').id))
    return context.json({ items: records.map(presentCompaction).toReversed(), next: null }, 200)
  })
  app.openapi(compact, async (context) => {
    refuseWhenDraining(server)
    const { id: sessionId } = await findSession(store, context.req.valid('param').id)
    const { instructions } = context.req.valid('json')
    const asked = await askOwner(runtime, {
      sessionId,
      kind: 'compact',
      payload: instructions === undefined ? {} : { instructions },
      signal: context.req.raw.signal,
      timeoutMs: COMPACT_TIMEOUT_MS,
      ...idOfRequest(context.req.valid('header')['idempotency-key']),
    })
    if (!asked.isDone) return context.json(asked.stored, 202)
    return context.json(await presentNewCompaction(runtime, sessionId, String(asked.result['id'])), 200)
  })
  app.openapi(undo, async (context) => {
    const { id: sessionId } = await findSession(store, context.req.valid('param').id)
    const asked = await askOwner(runtime, {
      sessionId,
      kind: 'undo',
      payload: {},
      signal: context.req.raw.signal,
      ...idOfRequest(context.req.valid('header')['idempotency-key']),
    })
    if (!asked.isDone) return context.json(asked.stored, 202)
    const { undone, tokens } = asked.result
    return context.json(
      { undone: Array.isArray(undone) ? undone.map(String) : [], tokens: typeof tokens === 'number' ? tokens : null },
      200,
    )
  })
}
