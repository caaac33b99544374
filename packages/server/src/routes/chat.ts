import { createRoute } from '@hono/zod-openapi'
import type { z } from '@hono/zod-openapi'
import { isConflict } from '../api-failure.ts'
import { acceptMessage } from '../intake/accept-message.ts'
import { chatSchema, readChatMessage } from '../intake/read-chat-message.ts'
import { refuseWhenDraining } from '../intake/refuse-when-draining.ts'
import type { App, ServerContext } from '../server-context.ts'
import { findOpenTurn } from '../stream/find-open-turn.ts'
import { answerWithUiMessages } from '../stream/ui-message-stream.ts'
import { body, sessionParams, text } from './answers.ts'
import { findSession } from './find-session.ts'

const uiMessages = text('text/event-stream', "The AI SDK's UI message stream; our own events are its data parts")

const send = createRoute({
  method: 'post',
  path: '/api/chat',
  summary: 'For useChat of the AI SDK: sends the last message and streams the answer',
  request: body(chatSchema),
  responses: uiMessages,
})

const resume = createRoute({
  method: 'get',
  path: '/api/chat/{id}/stream',
  summary: 'For useChat of the AI SDK: goes on with the answer under way',
  request: { params: sessionParams },
  responses: { ...uiMessages, 204: { description: 'Everything is answered' } },
})

export function addChatRoutes(app: App, server: ServerContext): void {
  const { store } = server.runtime
  app.openapi(send, async (context) => {
    refuseWhenDraining(server)
    const chat = context.req.valid('json')
    const message = readChatMessage(chat)
    await ensureSession(server, chat)
    return answerWithUiMessages(server, await acceptMessage(server, chat.id, message))
  })
  app.openapi(resume, async (context) => {
    const { id } = context.req.valid('param')
    // A chat that was opened but never used has no session yet.
    if ((await store.sessions.get(id)) === null) return context.body(null, 204)
    const turn = await findOpenTurn(store, (await findSession(store, id)).id)
    if (turn === null) return context.body(null, 204)
    return context.req.method === 'HEAD' ? context.body(null, 200) : answerWithUiMessages(server, turn)
  })
}

async function ensureSession(
  { runtime }: ServerContext,
  { id, model, preset }: z.infer<typeof chatSchema>,
): Promise<void> {
  if ((await runtime.store.sessions.get(id)) !== null) return
  const wish = { id, ...(model === undefined ? {} : { model }), ...(preset === undefined ? {} : { preset }) }
  await runtime.agent.createSession(wish).catch((error: unknown) => {
    // Somebody else was faster.
    if (!isConflict(error)) throw error
  })
}
