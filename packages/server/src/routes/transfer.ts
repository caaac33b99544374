import { createRoute, z } from '@hono/zod-openapi'
import { importedSchema } from '@longhaul/protocol'
import { exportSession } from '@longhaul/runtime'
import { ApiFailure } from '../api-failure.ts'
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

/** Nobody who waits for the next import waits for one that does not end. */
const MAX_IMPORT_MS = 550_000
const STOPPED = 'The import was stopped before it was complete; sessions of it that were stored stay. Split the text.'

export function addTransferRoutes(app: App, server: ServerContext): void {
  const { store } = server.runtime
  // Each holds all that its text says while it is stored.
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
    const signal = AbortSignal.any([context.req.raw.signal, server.stopping, AbortSignal.timeout(MAX_IMPORT_MS)])
    const wish = { request: context.req, signal, ...(key === undefined ? {} : { key }) }
    const { records, copies, problems } = await oneAtATime(() => importText(store, wish)).catch((error: unknown) => {
      if (signal.aborted) throw new ApiFailure('store-unavailable', STOPPED)
      throw error
    })
    const [session, ...others] = await presentSessions(server, records)
    if (session === undefined) throw new Error('An import stored nothing.')
    return context.json({ session, others, copies: [...copies], problems: [...problems] }, 201)
  })
}
