import { setTimeout as sleep } from 'node:timers/promises'
import { startWireServer } from '@longhaul/models/testing'
import { createClient } from '@longhaul/protocol'
import { LONG_ANSWER, LONG_ANSWER_MS, SHORT_ANSWER } from './answer.ts'
import { startServerProcess } from './start-server-process.ts'
import type { Measured } from './start-server-process.ts'
import { streamTurn } from './stream-turn.ts'

export interface Load {
  readonly turns: number
  readonly problems: readonly string[]
  /** To the first word, while all sessions stream. */
  readonly directMs: readonly number[]
  readonly throughMs: readonly number[]
  /** Of the server's process, while all sessions stream. */
  readonly measured: readonly Measured[]
}

/** Sessions begin one after the other within the time of one answer, so that they are at every stage of one. */
const BEGIN_MS = LONG_ANSWER_MS
const DIRECT_EVERY_MS = 100
/** Asked by this name, the provider gives the short answer. */
const SHORT_MODEL = 'short'
const PROMPT = 'Tell me at some length how the beds are to be watered this week, day by day, and why.'

/** `measureMs` counts from when all sessions have begun to stream. */
export async function measureLoad(folder: string, sessions: number, measureMs: number): Promise<Load> {
  const provider = await startWireServer({
    otherwise: ({ model }) => (model === SHORT_MODEL ? SHORT_ANSWER : LONG_ANSWER),
  })
  const server = await startServerProcess(folder, provider.baseURL)
  try {
    const client = createClient({ baseUrl: server.url })
    const ids: string[] = []
    // A title of their own: otherwise each session asks the model for one.
    for (let index = 0; index < sessions; index += 1)
      ids.push((await client.createSession({ title: `Beds ${index}` })).id)
    const from = Date.now() + BEGIN_MS
    const until = from + measureMs
    const [direct, ...turns] = await Promise.all([
      callAgain(provider.baseURL, from, until),
      ...ids.map(async (id, index) => {
        await sleep((BEGIN_MS / sessions) * index)
        return talk(server.url, id, from, until)
      }),
    ])
    const all = turns.flat()
    return {
      turns: all.length,
      problems: all.flatMap(({ problem }) => problem ?? []),
      directMs: direct,
      throughMs: all.filter(({ isMeasured }) => isMeasured).map(({ firstTokenMs }) => firstTokenMs),
      measured: server.measured.filter(({ at }) => at >= from && at < until),
    }
  } finally {
    await server.stop()
    await provider.close()
  }
}

async function talk(url: string, id: string, from: number, until: number) {
  const turns: { readonly firstTokenMs: number; readonly problem: string | null; readonly isMeasured: boolean }[] = []
  while (Date.now() < until) {
    const isMeasured = Date.now() >= from
    turns.push({ ...(await streamTurn(url, id, PROMPT)), isMeasured })
  }
  return turns
}

async function callAgain(baseURL: string, from: number, until: number): Promise<readonly number[]> {
  await sleep(Math.max(0, from - Date.now()))
  const calls: Promise<number>[] = []
  while (Date.now() < until) {
    calls.push(callDirectly(baseURL))
    await sleep(DIRECT_EVERY_MS)
  }
  return Promise.all(calls)
}

/** The same kind of call, made by nobody in between: milliseconds to its first word. */
async function callDirectly(baseURL: string): Promise<number> {
  const begin = performance.now()
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: SHORT_MODEL, stream: true, messages: [{ role: 'user', content: PROMPT }] }),
  })
  let firstMs: number | null = null
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
    if (firstMs === null && chunk.includes('Word 0')) firstMs = performance.now() - begin
  if (firstMs === null) throw new Error('The provider said nothing.')
  return firstMs
}
