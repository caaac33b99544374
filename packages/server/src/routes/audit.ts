import { createRoute, z } from '@hono/zod-openapi'
import { auditSessionSchema, auditStatusSchema, newAuditSchema } from '@longhaul/protocol'
import type { AuditDesk } from '@longhaul/runtime'
import type { Context } from 'hono'
import { ApiFailure } from '../api-failure.ts'
import { isAuditOn } from '../guard/is-audit-on.ts'
import { presentAudit, presentAuditedSession } from '../present/audit.ts'
import type { App, ServerContext } from '../server-context.ts'
import { answers, noContent, optionalBody, text } from './answers.ts'

const DAY_MS = 86_400_000

const about =
  'It reads files outside of the workspace, so it takes a client that a person opened, as allowing a tool call does; others get `forbidden`. A server that is shared does not audit unless its configuration says so; it answers `not-found`.'

const read = createRoute({
  method: 'get',
  path: '/api/audit',
  summary: 'What agents on this machine forgot: the last audit, and how far one is that is under way',
  description: about,
  responses: answers(auditStatusSchema, 'The audit'),
})

const start = createRoute({
  method: 'post',
  path: '/api/audit',
  summary: 'Read the sessions of agents on this machine; one that is under way goes on',
  description: about,
  request: optionalBody(newAuditSchema),
  responses: answers(auditStatusSchema, 'The audit, begun'),
})

const stop = createRoute({
  method: 'delete',
  path: '/api/audit',
  summary: 'Stop the audit under way; what was found before it stays',
  description: about,
  responses: noContent,
})

const page = createRoute({
  method: 'get',
  path: '/api/audit/page',
  summary: 'The last audit as a page in one file; with share=true without any text of the sessions',
  description: about,
  request: { query: z.object({ share: z.enum(['true', 'false']).default('false') }) },
  responses: text('text/html', 'The page, to be saved'),
})

const session = createRoute({
  method: 'get',
  path: '/api/audit/sessions/{number}',
  summary: 'One audited session with all that each compaction lost',
  description: about,
  request: { params: z.object({ number: z.coerce.number().int().positive() }) },
  responses: answers(auditSessionSchema, 'The session'),
})

export function addAuditRoutes(app: App, server: ServerContext): void {
  const { runtime, approvalRight } = server

  function enter(context: Context): AuditDesk {
    if (runtime.audit === null || !isAuditOn(server)) throw new ApiFailure('not-found', OFF)
    if (!approvalRight.isHeldBy(context)) throw new ApiFailure('forbidden', NOT_OPENED)
    return runtime.audit
  }

  app.openapi(read, (context) => context.json(presentAudit(enter(context).read()), 200))
  app.openapi(start, (context) => {
    const desk = enter(context)
    const { days } = context.req.valid('json') ?? {}
    desk.start({ since: days === undefined ? null : Date.now() - days * DAY_MS })
    return context.json(presentAudit(desk.read()), 200)
  })
  app.openapi(stop, (context) => {
    enter(context).stop()
    return context.body(null, 204)
  })
  app.openapi(page, async (context) => {
    const isShared = context.req.valid('query').share === 'true'
    const html = await enter(context).createPage({ isShared })
    if (html === null) throw new ApiFailure('not-found', 'Nothing has been audited yet.')
    return context.body(html, 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': 'attachment; filename="audit.html"',
    })
  })
  app.openapi(session, (context) => {
    const { finding } = enter(context).read()
    const { number } = context.req.valid('param')
    const found = finding === null ? null : presentAuditedSession(finding, number)
    if (found === null) throw new ApiFailure('not-found', `The last audit has no session ${number}.`)
    return context.json(found, 200)
  })
}

const OFF =
  'This server does not audit: it may be shared. Set audit.enabled to true in its configuration, or run longhaul audit in a terminal.'
const NOT_OPENED =
  'Only a page that was opened from the one-time address can read the sessions of other programs. Longhaul prints the address where it was started.'
