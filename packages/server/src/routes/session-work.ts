import { createRoute, z } from '@hono/zod-openapi'
import { compactSchema, compactionSchema } from '@longhaul/protocol'
import type { Compaction } from '@longhaul/protocol'
import { listCompactions } from '@longhaul/runtime'
import type { JsonObject, Store } from '@longhaul/runtime'
import { ApiFailure } from '../api-failure.ts'
import { askOwner } from '../intake/ask-owner.ts'
import { idOfKey, idempotencyHeaders } from '../intake/idempotency.ts'
import { refuseWhenDraining } from '../intake/refuse-when-draining.ts'
import { presentCompaction } from '../present/compaction.ts'
import type { App, ServerContext } from '../server-context.ts'
import { hasOpenCall, isAtWork } from '../stream/open-work.ts'
import { answers, body, noContent, sessionParams } from './answers.ts'
import { findSession } from './find-session.ts'

const compact = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/compact',
  summary: 'Summarise older messages now',
  request: { params: sessionParams, headers: idempotencyHeaders, ...body(compactSchema) },
  responses: answers(compactionSchema, 'The compaction'),
})

const undo = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/undo',
  summary: 'Take the last compaction back',
  request: { params: sessionParams },
  responses: answers(z.object({ undone: z.array(z.string()), tokens: z.number().nullable() }), 'What was taken back'),
})

const reset = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/reset',
  summary: 'Clear the context; the transcript stays',
  request: { params: sessionParams },
  responses: noContent,
})

const cancel = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/cancel',
  summary: 'Stop the turn under way',
  request: { params: sessionParams },
  responses: noContent,
})

const approve = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/approvals/{callId}',
  summary: 'Allow a tool call that waits for it, or refuse it',
  request: {
    params: sessionParams.extend({ callId: z.string().max(500) }),
    ...body(z.strictObject({ allow: z.boolean() }).meta({ id: 'Approval' })),
  },
  responses: noContent,
})

const COMPACT_TIMEOUT_MS = 290_000

export function addTurnRoutes(app: App, server: ServerContext): void {
  const { runtime } = server
  const { store, agent } = runtime

  app.openapi(compact, async (context) => {
    refuseWhenDraining(server)
    const { id: sessionId } = await findSession(store, context.req.valid('param').id)
    const { instructions } = context.req.valid('json')
    const key = context.req.valid('header')['idempotency-key']
    const result = await askOwner(runtime, {
      sessionId,
      kind: 'compact',
      payload: instructions === undefined ? {} : { instructions },
      signal: context.req.raw.signal,
      timeoutMs: COMPACT_TIMEOUT_MS,
      ...(key === undefined ? {} : { id: idOfKey(key) }),
    })
    return context.json(await findCompaction(store, sessionId, result), 200)
  })
  app.openapi(undo, async (context) => {
    const { id: sessionId } = await findSession(store, context.req.valid('param').id)
    const { signal } = context.req.raw
    const { undone, tokens } = await askOwner(runtime, { sessionId, kind: 'undo', payload: {}, signal })
    return context.json(
      { undone: Array.isArray(undone) ? undone.map(String) : [], tokens: typeof tokens === 'number' ? tokens : null },
      200,
    )
  })
  app.openapi(reset, async (context) => {
    const { id: sessionId } = await findSession(store, context.req.valid('param').id)
    await askOwner(runtime, { sessionId, kind: 'reset', payload: {}, signal: context.req.raw.signal })
    return context.body(null, 204)
  })
  app.openapi(cancel, async (context) => {
    const { id } = await findSession(store, context.req.valid('param').id)
    if (!(await isAtWork(store, id)))
      throw new ApiFailure('invalid-request', 'Nothing is under way that could be stopped.', 409)
    await agent.cancel(id)
    return context.body(null, 204)
  })
  app.openapi(approve, async (context) => {
    const { id: sessionId, callId } = context.req.valid('param')
    const { id } = await findSession(store, sessionId)
    if (!(await hasOpenCall(store, id, callId)))
      throw new ApiFailure('not-found', `No tool call ${callId} waits for an answer.`)
    await agent.approve(id, callId, context.req.valid('json').allow)
    return context.body(null, 204)
  })
}

/** Where no summary could be made, messages were left out instead: told in the same shape. */
async function findCompaction(store: Store, sessionId: string, result: JsonObject): Promise<Compaction> {
  const id = String(result['id'])
  const record = (await listCompactions(store, sessionId)).find((each) => each.id === id)
  if (record !== undefined) return presentCompaction(record)
  const entry = await store.entries.find(sessionId, id)
  if (entry?.type !== 'trim') throw new ApiFailure('internal', 'It was done, but is not found in the transcript.')
  const { at, reason, tokensBefore, tokensAfter, note } = entry
  return {
    id,
    at,
    reason,
    tokensBefore,
    tokensAfter,
    score: null,
    model: null,
    cost: null,
    summary: note ?? '',
    items: [],
    ledger: [],
    coveredIds: [],
    undone: false,
  }
}
