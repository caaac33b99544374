import { createRoute } from '@hono/zod-openapi'
import { compactionSchema, listOf } from '@longhaul/protocol'
import { listCompactions } from '@longhaul/runtime'
import { presentCompaction } from '../present/compaction.ts'
import type { App, ServerContext } from '../server-context.ts'
import { answers, sessionParams } from './answers.ts'
import { findSession } from './find-session.ts'

const list = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/compactions',
  summary: 'Every compaction, newest first; those taken back too',
  request: { params: sessionParams },
  responses: answers(listOf(compactionSchema), 'All of them'),
})

export function addCompactionRoutes(app: App, { runtime: { store } }: ServerContext): void {
  app.openapi(list, async (context) => {
    const { id } = await findSession(store, context.req.valid('param').id)
    const records = await listCompactions(store, id)
    return context.json({ items: records.map(presentCompaction).toReversed(), next: null }, 200)
  })
}
