import { createRoute, z } from '@hono/zod-openapi'
import { listOf, recalledSchema } from '@longhaul/protocol'
import { runCommand } from '@longhaul/runtime'
import type { App, ServerContext } from '../server-context.ts'
import { answers, sessionParams } from './answers.ts'
import { findSession } from './find-session.ts'

const recall = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/recall',
  summary: 'Find earlier messages, word for word',
  request: { params: sessionParams, query: z.object({ query: z.string().min(1).max(1_000) }) },
  responses: answers(listOf(recalledSchema), 'Best first'),
})

export function addRecallRoute(app: App, { runtime }: ServerContext): void {
  app.openapi(recall, async (context) => {
    const { id: sessionId } = await findSession(runtime.store, context.req.valid('param').id)
    const { query } = context.req.valid('query')
    const result = await runCommand(`/recall ${query}`, { ...runtime, sessionId, signal: context.req.raw.signal })
    return context.json({ items: result.command === 'recall' ? [...result.found] : [], next: null }, 200)
  })
}
