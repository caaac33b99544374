import { isDeepStrictEqual } from 'node:util'
import { createRoute, z } from '@hono/zod-openapi'
import {
  clampLimit,
  listOf,
  newSessionSchema,
  pageQuerySchema,
  sessionChangeSchema,
  sessionSchema,
} from '@longhaul/protocol'
import type { NewSession, SessionChange } from '@longhaul/protocol'
import { PRESETS, isPresetName, originOf, refuseKept } from '@longhaul/runtime'
import type { JsonObject, NewSessionInput, SessionRecord } from '@longhaul/runtime'
import { ApiFailure, isConflict } from '../api-failure.ts'
import { askOwner } from '../intake/ask-owner.ts'
import type { Asked } from '../intake/ask-owner.ts'
import { idOfKey, idOfRequest, idempotencyHeaders } from '../intake/idempotency.ts'
import { presentSession, presentSessions } from '../present/session.ts'
import type { App, ServerContext } from '../server-context.ts'
import { isAtWork } from '../stream/open-work.ts'
import { answers, body, created, noContent, optionalBody, sessionParams, storedForLater } from './answers.ts'
import { findSession } from './find-session.ts'

const list = createRoute({
  method: 'get',
  path: '/api/sessions',
  summary: 'Sessions, newest change first',
  request: { query: pageQuerySchema.extend({ query: z.string().max(1_000).optional() }) },
  responses: answers(listOf(sessionSchema), 'A page of them'),
})

const create = createRoute({
  method: 'post',
  path: '/api/sessions',
  summary: 'Start a session',
  request: { ...optionalBody(newSessionSchema), headers: idempotencyHeaders },
  responses: created(sessionSchema, 'The session'),
})

const get = createRoute({
  method: 'get',
  path: '/api/sessions/{id}',
  summary: 'One session',
  request: { params: sessionParams },
  responses: answers(sessionSchema, 'The session'),
})

const change = createRoute({
  method: 'patch',
  path: '/api/sessions/{id}',
  summary: 'Rename it, or change its model, preset or policy',
  request: { params: sessionParams, headers: idempotencyHeaders, ...body(sessionChangeSchema) },
  responses: { ...answers(sessionSchema, 'The session as it is now'), ...storedForLater },
})

const remove = createRoute({
  method: 'delete',
  path: '/api/sessions/{id}',
  summary: 'Hide it, or erase it for good',
  request: { params: sessionParams, query: z.object({ purge: z.enum(['true', 'false']).optional() }) },
  responses: noContent,
})

const LIMIT = { standard: 50, most: 200 }

export function addSessionRoutes(app: App, server: ServerContext): void {
  const { store, agent } = server.runtime

  app.openapi(list, async (context) => {
    const { query, after, limit } = context.req.valid('query')
    const page = await store.sessions.list({
      limit: clampLimit(limit, LIMIT),
      ...(query === undefined ? {} : { query }),
      ...(after === undefined ? {} : { after }),
    })
    return context.json({ items: await presentSessions(server, page.items), next: page.next }, 200)
  })
  app.openapi(create, async (context) => {
    const key = context.req.valid('header')['idempotency-key']
    const wish = toInput(context.req.valid('json'))
    const record = key === undefined ? await agent.createSession(wish) : await createOnce(server, idOfKey(key), wish)
    return context.json(await presentSession(server, record), 201)
  })
  app.openapi(get, async (context) => {
    const record = await findSession(store, context.req.valid('param').id)
    return context.json(await presentSession(server, record), 200)
  })
  app.openapi(change, async (context) => {
    const { id: sessionId } = refuseKept(await findSession(store, context.req.valid('param').id))
    const asked = await changeSession(server, {
      ...context.req.valid('json'),
      sessionId,
      key: context.req.valid('header')['idempotency-key'],
      signal: context.req.raw.signal,
    })
    if (!asked.isDone) return context.json(asked.stored, 202)
    return context.json(await presentSession(server, await findSession(store, sessionId)), 200)
  })
  app.openapi(remove, async (context) => {
    const { id } = context.req.valid('param')
    if (context.req.valid('query').purge === 'true') {
      // A hidden one can still be erased.
      if ((await store.sessions.get(id)) === null) throw new ApiFailure('not-found', `There is no session ${id}.`)
      await store.sessions.purge(id)
    } else {
      const { header } = await findSession(store, id)
      // Nobody would hear of what it does from now on, and nobody could stop it. A host's work goes on.
      if (originOf(header) === null && (await isAtWork(store, id))) await agent.cancel(id)
      await store.sessions.setDeleted(id, Date.now())
    }
    return context.body(null, 204)
  })
}

function toInput({ title, model, preset, agent, policy }: NewSession): NewSessionInput {
  return {
    ...(title === undefined ? {} : { title }),
    ...(model === undefined ? {} : { model }),
    ...(preset === undefined ? {} : { preset }),
    ...(agent === undefined ? {} : { agent }),
    ...(policy === undefined ? {} : { policy: policy as JsonObject }),
  }
}

/** The same key and wish again is the session of before, as it is now. */
async function createOnce({ runtime }: ServerContext, id: string, wish: NewSessionInput): Promise<SessionRecord> {
  const { agent, store } = runtime
  try {
    return await agent.createSession({ ...wish, id })
  } catch (error) {
    if (!isConflict(error)) throw error
    const record = await findSession(store, id)
    if (await wasMadeFrom(store, record, wish)) return record
    throw new ApiFailure('id-conflict', 'Another session was made with this key before. Send this one under a new key.')
  }
}

/** Its first entries say what was wished for. */
async function wasMadeFrom(
  store: ServerContext['runtime']['store'],
  { id, header }: SessionRecord,
  { model, agent, title, preset, policy }: NewSessionInput,
): Promise<boolean> {
  const [first, second] = await store.entries.readAt(id, [1, 2])
  if (first?.type !== 'model-change' || second?.type !== 'settings') return false
  return (
    (model === undefined || first.model === model) &&
    isDeepStrictEqual([header['agent'], second.title, second.preset, second.policy], [agent, title, preset, policy])
  )
}

interface Change extends SessionChange {
  readonly sessionId: string
  readonly key: string | undefined
  readonly signal: AbortSignal
}

/** What can be told without opening the session is looked at first; its owner looks at the settings as a whole. */
async function changeSession(
  { runtime }: ServerContext,
  { sessionId, key, signal, ...wished }: Change,
): Promise<Asked> {
  const { model, title, preset, policy } = wished
  const hasSettings = title !== undefined || preset !== undefined || policy !== undefined
  if (model === undefined && !hasSettings)
    throw new ApiFailure('invalid-request', 'Say what to change: title, model, preset or policy.')
  if (model !== undefined && !runtime.models.describe(model).available)
    throw new ApiFailure('invalid-request', `${model} cannot be used: its provider is not configured.`)
  if (preset !== undefined && !isPresetName(preset))
    throw new ApiFailure(
      'invalid-request',
      `No preset is called ${preset}; known are ${Object.keys(PRESETS).join(', ')}.`,
    )
  const payload: JsonObject = {
    ...(title === undefined ? {} : { title }),
    ...(preset === undefined ? {} : { preset }),
    ...(policy === undefined ? {} : { policy: policy as JsonObject }),
  }
  const asked: Asked = hasSettings
    ? await askOwner(runtime, { sessionId, kind: 'settings', payload, signal, ...idOfRequest(key) })
    : { isDone: true, result: {} }
  if (model === undefined) return asked
  const modelKey = key !== undefined && hasSettings ? `${key} model` : key
  const wish = { sessionId, kind: 'model', payload: { model }, signal, ...idOfRequest(modelKey) } as const
  // Behind settings that still wait it is only stored.
  return askOwner(runtime, asked.isDone ? wish : { ...wish, timeoutMs: 0 })
}
