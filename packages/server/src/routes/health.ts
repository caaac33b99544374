import { createRoute } from '@hono/zod-openapi'
import { healthSchema, readySchema } from '@longhaul/protocol'
import type { Runtime } from '@longhaul/runtime'
import { refuseWhenDraining } from '../intake/refuse-when-draining.ts'
import type { App, ServerContext } from '../server-context.ts'
import { answers } from './answers.ts'

const health = createRoute({
  method: 'get',
  path: '/api/health',
  summary: 'That it runs, and what',
  responses: answers(healthSchema, 'It runs'),
})

const ready = createRoute({
  method: 'get',
  path: '/api/ready',
  summary: 'Whether it can take turns',
  responses: answers(readySchema, 'It can take turns'),
})

/** For a server that has the gateway alone, too. */
export function addHealthRoute(
  app: App,
  { runtime, version }: { readonly runtime: Pick<Runtime, 'config'>; readonly version: string },
): void {
  app.openapi(health, (context) =>
    context.json(
      { status: 'ok' as const, version, store: runtime.config.places.store.value.split(':', 1)[0] ?? '' },
      200,
    ),
  )
}

export function addReadyRoute(app: App, server: ServerContext): void {
  const { runtime } = server
  app.openapi(ready, async (context) => {
    refuseWhenDraining(server)
    const problem = await runtime.agent.checkStore()
    if (problem !== null) throw problem
    return context.json({ status: 'ready' as const }, 200)
  })
}
