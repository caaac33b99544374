import { DefaultChatTransport, parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema } from 'ai'
import type { UIMessage, UIMessageChunk } from 'ai'
import { describe, expect, it } from 'vitest'
import { createFolder, startApp } from '../testing/start-app.ts'
import type { AppUnderTest } from '../testing/start-app.ts'

const ask = (text: string, id = 'm1', chat = 'chat-1') => ({
  id: chat,
  trigger: 'submit-message',
  messages: [
    { id: 'old', role: 'assistant', parts: [{ type: 'text', text: 'Something of before' }] },
    { id, role: 'user', parts: [{ type: 'text', text }] },
  ],
})

/** By the AI SDK's own parser: what it does not know is an error. */
async function readChunks(response: Response): Promise<readonly UIMessageChunk[]> {
  expect(response.status).toBe(200)
  expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
  if (response.body === null) throw new Error('no body')
  const chunks: UIMessageChunk[] = []
  for await (const part of parseJsonEventStream({ stream: response.body, schema: uiMessageChunkSchema })) {
    if (!part.success) throw part.error
    chunks.push(part.value)
  }
  return chunks
}

async function toMessage(chunks: readonly UIMessageChunk[]): Promise<UIMessage | undefined> {
  const states = await Array.fromAsync(readUIMessageStream({ stream: ReadableStream.from(chunks) }))
  return states.at(-1)
}

async function userTexts({ runtime }: AppUnderTest, id: string): Promise<readonly string[]> {
  const entries = await runtime.store.entries.read(id, {})
  return entries.flatMap((entry) =>
    entry.type === 'message' && entry.role === 'user' ? [JSON.stringify(entry.parts)] : [],
  )
}

describe('POST /api/chat', () => {
  it('creates the session, sends the last message alone, and streams the answer', async () => {
    const app = await startApp({ script: () => 'In the evening.' })
    const chunks = await readChunks(await app.request('POST', '/api/chat', ask('When do I water?')))
    expect(chunks[0]).toEqual({ type: 'start', messageId: 'm1-answer' })
    expect(chunks[1]).toMatchObject({ type: 'data-message-stored', data: { id: 'm1' } })
    expect(chunks.at(-1)).toEqual({ type: 'finish' })
    expect((await toMessage(chunks))?.parts).toContainEqual(
      expect.objectContaining({ type: 'text', text: 'In the evening.' }),
    )
    expect(await userTexts(app, 'chat-1')).toEqual(['[{"type":"text","text":"When do I water?"}]'])
  })

  it('an answer that was begun twice is told again as it was stored', async () => {
    const folder = await createFolder()
    const dying = await startApp({
      folder,
      script: () => ({ text: ['The gr'], breaksOff: { afterPieces: 1, how: 'hang' } }),
    })
    const stream = await dying.request('POST', '/api/chat', ask('Which gate?'))
    for await (const part of (stream.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()))
      if (part.includes('The gr')) break
    await dying.runtime.close()
    const app = await startApp({ folder, script: () => 'The green one.' })
    const tell = async () => toMessage(await readChunks(await app.request('POST', '/api/chat', ask('Which gate?'))))
    await tell()
    const { events } = app.runtime.store
    expect((await events.read('chat-1', 0, 100)).map(({ event }) => event['type'])).toContain('retry')
    expect((await tell())?.parts.filter(({ type }) => type === 'text' || type === 'data-retry')).toMatchObject([
      { type: 'text', text: 'The green one.' },
    ])
  })

  it('the same message again finds its turn; another text with its id is refused', async () => {
    const app = await startApp({ script: (_, index) => `Answer ${index}.` })
    const first = await toMessage(await readChunks(await app.request('POST', '/api/chat', ask('Hello'))))
    const again = await toMessage(await readChunks(await app.request('POST', '/api/chat', ask('Hello'))))
    const textOf = (message: UIMessage | undefined) => message?.parts.filter(({ type }) => type === 'text')
    expect(textOf(again)).toEqual(textOf(first))
    expect(await userTexts(app, 'chat-1')).toHaveLength(1)
    const other = await app.request('POST', '/api/chat', ask('Goodbye'))
    expect(await other.json()).toMatchObject({ error: { code: 'id-conflict' } })
  })

  it('model and preset of a new session come with its first message', async () => {
    const app = await startApp()
    await readChunks(await app.request('POST', '/api/chat', { ...ask('Hello'), preset: 'openclaw' }))
    expect(await (await app.request('GET', '/api/sessions/chat-1')).json()).toMatchObject({ preset: 'openclaw' })
    const unknown = await app.request('POST', '/api/chat', { ...ask('Hello', 'm1', 'chat-2'), model: 'no/model' })
    expect(unknown.status).toBe(400)
  })

  it('files ride along as attachments; addresses are refused', async () => {
    const app = await startApp()
    const file = (url: string) => ({
      id: 'chat-1',
      messages: [{ id: 'm1', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url }] }],
    })
    expect((await app.request('POST', '/api/chat', file('http://169.254.169.254/'))).status).toBe(400)
    await readChunks(await app.request('POST', '/api/chat', file('data:image/png;base64,iVBORw0KGgo=')))
    expect(await userTexts(app, 'chat-1')).toEqual([
      '[{"type":"image","image":"iVBORw0KGgo=","mediaType":"image/png"}]',
    ])
  })

  it('takes a chat whose earlier messages hold many images, but no message that is too large by itself', async () => {
    const app = await startApp({ script: () => 'A gate.' })
    const image = (id: string, megabytes: number) => ({
      id,
      role: 'user',
      parts: [
        { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${'QUJD'.repeat(megabytes * 262_144)}` },
      ],
    })
    const history = Array.from({ length: 10 }, (_, index) => image(`old-${index}`, 4))
    const asked = { ...ask('What is on them?'), messages: [...history, ...ask('What is on them?').messages] }
    await readChunks(await app.request('POST', '/api/chat', asked))
    expect(await userTexts(app, 'chat-1')).toEqual(['[{"type":"text","text":"What is on them?"}]'])
    const tooLarge = await app.request('POST', '/api/chat', { id: 'chat-2', messages: [image('m1', 21)] })
    expect(tooLarge.status).toBe(413)
    expect((await app.runtime.store.sessions.list({})).items).toHaveLength(1)
  })

  it('a transport that sends only what is new is answered as any other', async () => {
    const app = await startApp({ script: () => 'In the evening.' })
    const sent: UIMessage[][] = []
    const transport = new DefaultChatTransport<UIMessage>({
      fetch: async (url, init) => app.requestRaw(String(url), init ?? {}),
      prepareSendMessagesRequest({ id, messages }) {
        sent.push(messages.slice(-1))
        return { body: { id, messages: messages.slice(-1) } }
      },
    })
    const chat = { chatId: 'chat-1', trigger: 'submit-message', messageId: undefined, abortSignal: undefined } as const
    const stream = await transport.sendMessages({ ...chat, messages: ask('When do I water?').messages as UIMessage[] })
    expect((await toMessage(await Array.fromAsync(stream)))?.parts).toContainEqual(
      expect.objectContaining({ type: 'text', text: 'In the evening.' }),
    )
    expect(sent).toMatchObject([[{ id: 'm1' }]])
  })

  it.each([
    {},
    { id: 'chat-1' },
    { id: 'chat-1', messages: [] },
    { id: '../x', messages: ask('Hi').messages },
    { id: 'chat-1', messages: [{ role: 'assistant', parts: [] }] },
    { id: 'chat-1', messages: [{ role: 'user', parts: [] }] },
    { id: 'chat-1', messages: [{ role: 'user', id: '\n', parts: [{ type: 'text', text: 'Hi' }] }] },
    { id: 'chat-1', messages: 'Hello' },
  ])('refuses %j and creates nothing', async (body) => {
    const app = await startApp()
    expect((await app.request('POST', '/api/chat', body)).status).toBe(400)
    expect((await app.runtime.store.sessions.list({})).items).toEqual([])
  })

  it('a failure of the provider is an error part', async () => {
    const app = await startApp({ script: () => ({ fails: new Error('The provider is away.') }) })
    const chunks = await readChunks(await app.request('POST', '/api/chat', ask('Hello')))
    expect(chunks.at(-1)).toMatchObject({ type: 'error', errorText: expect.any(String) })
    expect(chunks).toContainEqual(expect.objectContaining({ type: 'data-error' }))
  })
})

it('a server that stops says so', async () => {
  const app = await startApp({ script: () => ({ hangs: true }) })
  const response = await app.request('POST', '/api/chat', ask('When do I water?'))
  const reading = readChunks(response)
  app.stop()
  expect((await reading).at(-1)).toMatchObject({ type: 'error', errorText: expect.stringContaining('again') })
})

describe('GET /api/chat/:id/stream', () => {
  it('204 where nothing waits for an answer', async () => {
    const app = await startApp()
    expect((await app.request('GET', '/api/chat/nobody/stream')).status).toBe(204)
    await readChunks(await app.request('POST', '/api/chat', ask('Hello')))
    expect((await app.request('GET', '/api/chat/chat-1/stream')).status).toBe(204)
  })

  it('goes on with the turn under way, from its beginning', async () => {
    const hold = Promise.withResolvers<string>()
    const app = await startApp({ script: () => hold.promise })
    const gone = await app.request('POST', '/api/chat', ask('When do I water?'))
    await gone.body?.cancel()
    const resumed = await app.request('GET', '/api/chat/chat-1/stream')
    hold.resolve('In the evening.')
    const message = await toMessage(await readChunks(resumed))
    expect(message).toMatchObject({ id: 'm1-answer' })
    expect(message?.parts).toContainEqual(expect.objectContaining({ type: 'text', text: 'In the evening.' }))
  })

  it('follows the newest message where several wait', async () => {
    const hold = Promise.withResolvers<string>()
    const app = await startApp({ script: (_, index) => (index === 0 ? hold.promise : 'The second answer.') })
    for (const [text, id] of [
      ['First', 'm1'],
      ['Second', 'm2'],
    ] as const)
      await (await app.request('POST', '/api/chat', ask(text, id))).body?.cancel()
    const resumed = await app.request('GET', '/api/chat/chat-1/stream')
    hold.resolve('The first answer.')
    const chunks = await readChunks(resumed)
    expect(chunks).toContainEqual(expect.objectContaining({ type: 'data-queued' }))
    const message = await toMessage(chunks)
    expect(message).toMatchObject({ id: 'm2-answer' })
    expect(message?.parts).toContainEqual(expect.objectContaining({ type: 'text', text: 'The second answer.' }))
  })
})
