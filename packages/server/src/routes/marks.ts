import { createRoute } from '@hono/zod-openapi'
import { listOf, markSchema } from '@longhaul/protocol'
import type { App, ServerContext } from '../server-context.ts'
import { answers, sessionParams } from './answers.ts'
import { findSession } from './find-session.ts'

const list = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/marks',
  summary: 'What was done to the context, oldest first: compactions, flushes, prunes and the like',
  request: { params: sessionParams },
  responses: answers(listOf(markSchema), 'All of them'),
})

export function addMarkRoutes(app: App, { runtime: { store }, marks }: ServerContext): void {
  app.openapi(list, async (context) => {
    const items = await marks.read(await findSession(store, context.req.valid('param').id))
    return context.json({ items: [...items], next: null }, 200)
  })
}
