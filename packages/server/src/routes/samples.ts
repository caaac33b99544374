import { createRoute } from '@hono/zod-openapi'
import { sessionSchema } from '@longhaul/protocol'
import { presentSession } from '../present/session.ts'
import { createSample } from '../samples/create-sample.ts'
import type { App, ServerContext } from '../server-context.ts'
import { created } from './answers.ts'

const create = createRoute({
  method: 'post',
  path: '/api/sessions/sample',
  summary: 'A long conversation to look around in; the next message makes it compact',
  responses: created(sessionSchema, 'The session'),
})

export function addSampleRoutes(app: App, server: ServerContext): void {
  app.openapi(create, async (context) => {
    const record = await createSample(server.runtime.store, Date.now())
    return context.json(await presentSession(server, record), 201)
  })
}
