import { createRoute } from '@hono/zod-openapi'
import { listOf, modelSchema, presetSchema } from '@longhaul/protocol'
import { PRESETS } from '@longhaul/runtime'
import { presentModel } from '../present/model.ts'
import type { App, ServerContext } from '../server-context.ts'
import { answers } from './answers.ts'

const models = createRoute({
  method: 'get',
  path: '/api/models',
  summary: 'The models that are known, and which of them can be used',
  responses: answers(listOf(modelSchema), 'All of them'),
})

const presets = createRoute({
  method: 'get',
  path: '/api/presets',
  summary: 'The presets, each a whole policy',
  responses: answers(listOf(presetSchema), 'All of them'),
})

export function addModelRoutes(app: App, { runtime }: ServerContext): void {
  app.openapi(models, (context) => context.json({ items: runtime.models.list().map(presentModel), next: null }, 200))
  app.openapi(presets, (context) => {
    const items = Object.entries(PRESETS).map(([name, policy]) => ({ name, policy: { ...policy } }))
    return context.json({ items, next: null }, 200)
  })
}
