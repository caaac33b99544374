import { createRoute, z } from '@hono/zod-openapi'
import { refuseKept } from '@longhaul/runtime'
import { approvalSchema, rightsSchema } from '@longhaul/protocol'
import { ApiFailure } from '../api-failure.ts'
import { isAuditOn } from '../guard/is-audit-on.ts'
import { askOwner } from '../intake/ask-owner.ts'
import { idOfRequest, idempotencyHeaders } from '../intake/idempotency.ts'
import type { App, ServerContext } from '../server-context.ts'
import { hasOpenCall, isAtWork } from '../stream/open-work.ts'
import { answers, body, noContent, sessionParams, storedForLater } from './answers.ts'
import { findSession } from './find-session.ts'

const reset = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/reset',
  summary: 'Clear the context; the transcript stays',
  request: { params: sessionParams, headers: idempotencyHeaders },
  responses: { ...noContent, ...storedForLater },
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
  description:
    'Anybody may refuse. To allow takes the right to: a browser has it that opened the one-time address which the server printed when it started (it keeps a cookie), and whoever sends the token of a server that has one. Others get `forbidden`.',
  request: {
    params: sessionParams.extend({ callId: z.string().max(500) }),
    ...body(approvalSchema),
  },
  responses: noContent,
})

const rights = createRoute({
  method: 'get',
  path: '/api/rights',
  summary: 'What this client may do: whether it may allow tool calls',
  responses: answers(rightsSchema, 'Its rights'),
})

/** Where a conversation is stopped, let go on, or begun anew. */
export function addSteeringRoutes(app: App, server: ServerContext): void {
  const { runtime, approvalRight } = server
  const { store, agent } = runtime

  app.openapi(reset, async (context) => {
    const { id: sessionId } = await findSession(store, context.req.valid('param').id)
    const asked = await askOwner(runtime, {
      sessionId,
      kind: 'reset',
      payload: {},
      signal: context.req.raw.signal,
      ...idOfRequest(context.req.valid('header')['idempotency-key']),
    })
    return asked.isDone ? context.body(null, 204) : context.json(asked.stored, 202)
  })
  app.openapi(cancel, async (context) => {
    const { id } = refuseKept(await findSession(store, context.req.valid('param').id))
    if (!(await isAtWork(store, id)))
      throw new ApiFailure('invalid-request', 'Nothing is under way that could be stopped.', 409)
    await agent.cancel(id)
    return context.body(null, 204)
  })
  app.openapi(approve, async (context) => {
    const { id: sessionId, callId } = context.req.valid('param')
    const { allow } = context.req.valid('json')
    if (allow && !approvalRight.isHeldBy(context)) throw new ApiFailure('forbidden', NOT_OPENED)
    const { id } = await findSession(store, sessionId)
    if (!(await hasOpenCall(store, id, callId)))
      throw new ApiFailure('not-found', `No tool call ${callId} waits for an answer.`)
    await agent.approve(id, callId, allow)
    return context.body(null, 204)
  })
  app.openapi(rights, (context) => {
    const mayApprove = approvalRight.isHeldBy(context)
    const mayAudit = !isAuditOn(server) ? 'off' : mayApprove ? 'yes' : 'not-opened'
    return context.json({ mayApprove, mayAudit } as const, 200)
  })
}

const NOT_OPENED =
  'Only a page that was opened from the one-time address can allow a tool call. Longhaul prints the address where it was started. Refusing needs no right.'
