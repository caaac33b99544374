import { createRoute } from '@hono/zod-openapi'
import { commandHelpSchema, commandLineSchema, commandResultSchema, listOf } from '@longhaul/protocol'
import { listCommands, runCommand } from '@longhaul/runtime'
import { describeLeftToHost } from '../intake/ask-owner.ts'
import { idOfKey, idempotencyHeaders } from '../intake/idempotency.ts'
import { presentCommandResult } from '../present/command-result.ts'
import type { App, ServerContext } from '../server-context.ts'
import { answers, body, sessionParams, storedForLater } from './answers.ts'
import { findSession } from './find-session.ts'

const list = createRoute({
  method: 'get',
  path: '/api/commands',
  summary: 'The slash commands',
  responses: answers(listOf(commandHelpSchema), 'All of them'),
})

const run = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/commands',
  summary: 'Runs a slash command, such as /pin The deadline is Friday',
  request: { params: sessionParams, headers: idempotencyHeaders, ...body(commandLineSchema) },
  responses: { ...answers(commandResultSchema, 'What it found or did'), ...storedForLater },
})

export function addCommandRoutes(app: App, server: ServerContext): void {
  const { runtime } = server
  app.openapi(list, (context) => context.json({ items: [...listCommands()], next: null }, 200))
  app.openapi(run, async (context) => {
    const { id: sessionId } = await findSession(runtime.store, context.req.valid('param').id)
    const key = context.req.valid('header')['idempotency-key']
    const result = await runCommand(context.req.valid('json').line, {
      ...runtime,
      sessionId,
      signal: context.req.raw.signal,
      // Named after the session too: `/new` makes another session of it, and those share one room for names.
      ...(key === undefined ? {} : { requestId: idOfKey(`${sessionId} ${key}`) }),
    })
    if (result.command === 'left-to-host') return context.json(describeLeftToHost(result.id, result.origin), 202)
    return context.json(await presentCommandResult(server, result), 200)
  })
}
