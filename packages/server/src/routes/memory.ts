import { createRoute, z } from '@hono/zod-openapi'
import {
  clampLimit,
  limitSchema,
  listOf,
  memoryFileSchema,
  memoryHitSchema,
  memoryTextSchema,
} from '@longhaul/protocol'
import { listForeignLines } from '@longhaul/runtime'
import { ApiFailure } from '../api-failure.ts'
import type { App, ServerContext } from '../server-context.ts'
import { answers } from './answers.ts'

const search = createRoute({
  method: 'get',
  path: '/api/memory',
  summary: 'What was saved for good about something; without a query, the newest',
  request: { query: z.object({ query: z.string().max(2_000).default(''), limit: limitSchema }) },
  responses: answers(listOf(memoryHitSchema), 'Best first'),
})

const files = createRoute({
  method: 'get',
  path: '/api/memory/files',
  summary: 'The memory files',
  responses: answers(listOf(memoryFileSchema), 'All of them'),
})

const file = createRoute({
  method: 'get',
  path: '/api/memory/files/{name}',
  summary: 'One memory file; the slash of a name such as memory/2026-11-15.md is written %2F',
  request: { params: z.object({ name: z.string().max(200) }) },
  responses: answers(memoryTextSchema, 'The file'),
})

export function addMemoryRoutes(app: App, { runtime: { memory, store } }: ServerContext): void {
  app.openapi(search, async (context) => {
    const { query, limit } = context.req.valid('query')
    const hits = await memory.search(query, { limit: clampLimit(limit, { standard: 50, most: 200 }) })
    return context.json({ items: [...hits], next: null }, 200)
  })
  app.openapi(files, async (context) => {
    // Asking the memory brings the store up to date with files that were edited by hand.
    const names = new Set(await memory.list())
    const items = (await store.memory.list()).filter(({ name }) => names.has(name))
    return context.json({ items: items.map(({ name, updatedAt }) => ({ name, updatedAt })), next: null }, 200)
  })
  app.openapi(file, async (context) => {
    const { name } = context.req.valid('param')
    // Only what the memory itself lists: a name never becomes a path of the asker's choice.
    const text = (await memory.list()).includes(name) ? await memory.read(name) : null
    if (text === null) throw new ApiFailure('not-found', `The memory has no file ${name}.`)
    return context.json({ name, text, untrustedLines: [...listForeignLines(text)] }, 200)
  })
}
