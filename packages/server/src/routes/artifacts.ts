import { createRoute, z } from '@hono/zod-openapi'
import { clampLimit, limitSchema } from '@longhaul/protocol'
import { ApiFailure } from '../api-failure.ts'
import type { App, ServerContext } from '../server-context.ts'
import { sessionParams, text } from './answers.ts'
import { findSession } from './find-session.ts'

const read = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/artifacts/{artifactId}',
  summary: 'The whole output of a tool',
  request: {
    params: sessionParams.extend({ artifactId: z.string().max(500) }),
    query: z.object({
      offset: z.coerce.number().int().min(0).default(0).describe('In characters'),
      limit: limitSchema.describe('In characters; without it, all that follows'),
    }),
  },
  responses: text('text/plain', 'As it was'),
})

export function addArtifactRoutes(app: App, { runtime: { store } }: ServerContext): void {
  app.openapi(read, async (context) => {
    const { id, artifactId } = context.req.valid('param')
    const { offset, limit } = context.req.valid('query')
    await findSession(store, id)
    const content = await store.artifacts.read(id, artifactId)
    if (content === null)
      throw new ApiFailure('not-found', `This session has no artifact ${artifactId}, or it was kept long enough.`)
    const part = content
      .slice(offset, offset + clampLimit(limit, { standard: content.length, most: content.length }))
      .toWellFormed()
    // Tools bring anything, pages with scripts too: browsers keep it, and neither guess what it is nor show it.
    return context.text(part, 200, {
      'x-content-type-options': 'nosniff',
      'content-disposition': 'attachment; filename="artifact.txt"',
      'x-total-characters': String(content.length),
    })
  })
}
