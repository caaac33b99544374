import { createRoute, z } from '@hono/zod-openapi'
import { contextReportSchema, contextTextSchema, sessionStatusSchema } from '@longhaul/protocol'
import { describeStatus, readContextItem, reportContext } from '@longhaul/runtime'
import { ApiFailure } from '../api-failure.ts'
import { presentContext } from '../present/context.ts'
import { presentStatus } from '../present/status.ts'
import type { App, ServerContext } from '../server-context.ts'
import { answers, sessionParams } from './answers.ts'

const status = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/status',
  summary: 'The session on one card: how full it is, what it cost, when it will compact',
  request: { params: sessionParams },
  responses: answers(sessionStatusSchema, 'The card'),
})

const report = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/context',
  summary: 'What the next request would hold, item by item',
  request: { params: sessionParams },
  responses: answers(contextReportSchema, 'In the order in which it would be sent'),
})

const item = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/context/{itemId}',
  summary: 'The words of one item, as the model would see them',
  request: { params: sessionParams.extend({ itemId: z.string().max(500) }) },
  responses: answers(contextTextSchema, 'The item'),
})

export function addContextRoutes(app: App, { runtime }: ServerContext): void {
  app.openapi(status, async (context) => {
    const view = await runtime.agent.inspect(context.req.valid('param').id)
    return context.json(presentStatus(describeStatus(view)), 200)
  })
  app.openapi(report, async (context) => {
    const view = await runtime.agent.inspect(context.req.valid('param').id)
    return context.json(presentContext(reportContext(view)), 200)
  })
  app.openapi(item, async (context) => {
    const { id, itemId } = context.req.valid('param')
    const found = readContextItem(await runtime.agent.inspect(id), itemId)
    if (found === null) throw new ApiFailure('not-found', `Nothing of the context of now is called ${itemId}.`)
    return context.json({ id: itemId, ...found }, 200)
  })
}
