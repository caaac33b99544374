import { createRoute, z } from '@hono/zod-openapi'
import { importedSchema } from '@longhaul/protocol'
import { exportSession } from '@longhaul/runtime'
import { importText } from '../intake/import-text.ts'
import { idempotencyHeaders } from '../intake/idempotency.ts'
import { createOneAtATime } from '../intake/one-at-a-time.ts'
import { presentSessions } from '../present/session.ts'
import type { App, ServerContext } from '../server-context.ts'
import { created, sessionParams, text } from './answers.ts'
import { findSession } from './find-session.ts'

const exportRoute = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/export',
  summary: 'The session as a JSONL transcript, nothing left out',
  request: { params: sessionParams },
  responses: text('application/x-ndjson', 'One entry a line'),
})

const importRoute = createRoute({
  method: 'post',
  path: '/api/sessions/import',
  summary: 'Stores a transcript: of Longhaul, OpenClaw or pi, Claude Code, OpenAI chats or the AI SDK',
  request: {
    headers: idempotencyHeaders,
    query: z.object({
      newId: z
        .enum(['true', 'false'])
        .optional()
        .describe('Has no effect any more: a transcript whose id is taken always gets a new one'),
    }),
    body: { required: true, content: { 'application/x-ndjson': { schema: z.string() } } },
  },
  responses: created(importedSchema, 'What was stored, what of it is a copy, and which lines could not be read'),
})

export function addTransferRoutes(app: App, server: ServerContext): void {
  const { store } = server.runtime
  // Each holds its whole text, several times over, while it is read.
  const oneAtATime = createOneAtATime()
  app.openapi(exportRoute, async (context) => {
    const { id } = await findSession(store, context.req.valid('param').id)
    const lines = ReadableStream.from(exportSession(store, id, server.stopping)).pipeThrough(new TextEncoderStream())
    return context.body(lines, 200, {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="${id.replaceAll(/[^\w.-]/g, '_')}.jsonl"`,
    })
  })
  app.openapi(importRoute, async (context) => {
    const key = context.req.valid('header')['idempotency-key']
    const transcript = await context.req.text()
    const wish = key === undefined ? {} : { key }
    const { records, copies, problems } = await oneAtATime(() => importText(store, transcript, wish))
    const [session, ...others] = await presentSessions(server, records)
    if (session === undefined) throw new Error('An import stored nothing.')
    return context.json({ session, others, copies: [...copies], problems: [...problems] }, 201)
  })
}
