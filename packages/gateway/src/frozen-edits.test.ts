import type { ServerResponse } from 'node:http'
import { createInMemoryStore } from '@longhaul/store'
import type { Store } from '@longhaul/store/port'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postJson } from './testing/post-json.ts'
import { startGateway } from './testing/start-gateway.ts'
import type { GatewayUnderTest } from './testing/start-gateway.ts'
import { startRecorder } from './testing/start-recorder.ts'
import type { RecordedCall, Recorder } from './testing/start-recorder.ts'

const WINDOW = 32_000
const STEPS = 100
const CLAUDE = { 'x-claude-code-session-id': 'one' }

let upstream: Recorder
let store: Store
let under: GatewayUnderTest
let steps: number

beforeEach(async () => {
  steps = 0
  upstream = await startRecorder(answer)
  store = createInMemoryStore()
  under = await startGateway({
    store,
    windowOf: () => WINDOW,
    upstreams: { anthropic: { type: 'anthropic', baseURL: upstream.baseURL } },
  })
})
afterEach(async () => {
  await under.close()
  await upstream.close()
})

const COMPACT = 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.'
const isTurn = ({ body }: RecordedCall): boolean => body.includes('"tools"') && !body.includes(COMPACT)

/** Thinks and reads a file, again and again. */
function answer(call: RecordedCall, outgoing: ServerResponse): void {
  if (isTurn(call)) steps += 1
  const content = isTurn(call)
    ? [
        { type: 'thinking', thinking: `Thought ${steps}.`, signature: `signed-${steps}` },
        { type: 'tool_use', id: `toolu_${steps}`, name: 'read_file', input: { path: `notes/${steps}.md` } },
      ]
    : [{ type: 'text', text: '<summary>\n+ Goal: read all notes\n</summary>' }]
  const usage = { input_tokens: Math.ceil(call.body.length / 3), output_tokens: 40 }
  outgoing.writeHead(200, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify({ content, usage }))
}

interface Block {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
}

interface Message {
  readonly role: string
  readonly content: string | readonly Block[]
}

interface Sent {
  readonly view: string | null
  readonly session: string | null
  readonly messages: readonly Message[]
}

const tool = (name: string) => ({ name, description: 'Does something.', input_schema: { type: 'object' } })

async function send(history: Message[], tools: readonly object[] = [tool('read_file')]): Promise<Sent> {
  const before = upstream.calls.length
  const body = JSON.stringify({ model: 'some-model', max_tokens: 500, system: 'You read.', tools, messages: history })
  const answered = await postJson(`${under.url}/gateway/anthropic/v1/messages`, body, CLAUDE)
  expect(answered.status).toBe(200)
  const { content } = (await answered.json()) as { content: readonly Block[] }
  history.push({ role: 'assistant', content })
  const isAnswered = ({ body: sent }: RecordedCall): boolean => sent.includes('"tools"')
  const call = upstream.calls.slice(before).findLast(isAnswered) as RecordedCall
  const view = answered.headers.get('x-longhaul-view')
  if (view === 'verbatim') expect(call.body.toString()).toBe(body)
  const { messages } = JSON.parse(call.body.toString()) as { messages: readonly Message[] }
  return { view, session: answered.headers.get('x-longhaul-session'), messages }
}

const user = (text: string): Message => ({ role: 'user', content: text })
const resultOf = (step: number): Message => {
  const content = `File ${step}: ${`export const value${step} = ${step}\n`.repeat(50)}`
  return { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${step}`, content } as Block] }
}

/** An agent that reads one file after the other, in a list that grows to several windows. */
async function loop(history: Message[], count: number): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  for (let step = 0; step < count; step += 1) {
    sent.push(await send(history))
    history.push(resultOf(steps))
  }
  return sent
}

const thoughts = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap(({ thinking }) => (thinking === undefined ? [] : [thinking])),
  )

describe('edits', () => {
  it('come in few batches: between two of them each request begins with the bytes of the one before', async () => {
    const sent = await loop([user('Read all notes, one after the other.')], STEPS)
    const breaks = sent.flatMap(({ messages }, index) => {
      const before = sent[index - 1]?.messages ?? []
      const start = JSON.stringify(messages.slice(0, before.length))
      return start === JSON.stringify(before) ? [] : [index]
    })
    expect(sent.filter(({ view }) => view === 'edited').length).toBeGreaterThan(STEPS / 3)
    expect(breaks.length).toBeGreaterThan(0)
    expect(breaks.length).toBeLessThanOrEqual(STEPS / 10)
    expect(Math.min(...breaks.slice(1).map((at, index) => at - (breaks[index] as number)))).toBeGreaterThan(3)
  })

  it('take thinking with them that was made before them, and leave what was thought since', async () => {
    const history = [user('Read all notes, one after the other.')]
    const sent = await loop(history, STEPS)
    const first = sent.findIndex(({ view }) => view === 'edited')
    expect(first).toBeGreaterThan(10)
    expect(thoughts(sent[first - 1]?.messages ?? [])).toHaveLength(first - 1)
    expect(thoughts(sent[first]?.messages ?? [])).toEqual([])
    const next = sent[first + 2]?.messages ?? []
    expect(thoughts(next)).toEqual([`Thought ${first + 1}.`, `Thought ${first + 2}.`])
  })

  it('are not made because another tool or system text takes thinking’s ground away', async () => {
    const history = [user('Read some notes.')]
    await loop(history, 8)
    const { view, messages } = await send(history, [tool('read_file'), tool('from_another_server')])
    expect(view).toBe('verbatim')
    expect(thoughts(messages)).toHaveLength(8)
  })

  it('are kept with the session, for whoever looks at it elsewhere', async () => {
    const sent = await loop([user('Read all notes, one after the other.')], 60)
    const id = sent[0]?.session ?? ''
    const record = await store.sessions.get(id)
    expect(record?.header).toMatchObject({ origin: 'claude-code', originId: 'one' })
    expect(record?.head.settings?.title).toBe('Read all notes, one after the other.')
    const types = new Set((await store.entries.read(id, {})).map(({ type }) => type))
    expect([...types]).toEqual(expect.arrayContaining(['message', 'compaction']))
    expect((await store.requests.list(id, {})).items.length).toBeGreaterThan(20)
  })
})

describe('a client’s own /compact', () => {
  it('gets a view that fits, and begins a new epoch in the same session, whose past can still be found', async () => {
    const history = [user('Read all notes. The password of the shed is marigold-17.')]
    await loop(history, 60)
    const compacting: Message[] = [...history, user(COMPACT)]
    const own = JSON.stringify(compacting).length
    const asked = await send(compacting)
    expect(asked.view).toBe('edited')
    expect(own / 3).toBeGreaterThan(WINDOW)
    expect(JSON.stringify(asked.messages).length / 3).toBeLessThan(WINDOW)
    expect(JSON.stringify(asked.messages.at(-1))).toContain(COMPACT)

    const summary = 'This session is being continued from a previous conversation. Notes were read.'
    const fresh = [user(summary)]
    const after = await send(fresh)
    expect(after).toMatchObject({ view: 'verbatim', session: asked.session, messages: [user(summary)] })
    fresh.push(resultOf(steps))
    expect(await send(fresh)).toMatchObject({ view: 'verbatim', session: asked.session })
    const entries = await store.entries.read(asked.session ?? '', {})
    expect(JSON.stringify(entries)).toContain('marigold-17')
    expect((await store.sessions.list({})).items).toHaveLength(1)
  })
})
