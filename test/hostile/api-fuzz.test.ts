import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { apiErrorSchema, createClient, readEvents } from '@longhaul/protocol'
import type { Client } from '@longhaul/protocol'
import type { LogLine } from '@longhaul/runtime'
import { startServer } from '@longhaul/server'
import { expect, it, onTestFinished } from 'vitest'
import { openRuntime } from '../../packages/server/src/testing/start-app.ts'
import { listRoutes, makeRequest } from './api-fuzz/make-request.ts'
import type { ApiDocument, FuzzRequest, Route } from './api-fuzz/make-request.ts'
import type { Vocabulary } from './api-fuzz/make-value.ts'
import { createRandom } from './api-fuzz/random.ts'
import type { Random } from './api-fuzz/random.ts'
import { createSender } from './api-fuzz/send.ts'
import type { Answered } from './api-fuzz/send.ts'

const SEED = Number(process.env['LONGHAUL_FUZZ_SEED'] ?? 20_261_118)
const REQUESTS = 10_000
const AT_ONCE = 16
/** A request that has to wait for a turn is stored after 25 s. */
const DEADLINE_MS = 40_000
/** Far more than caches take, far less than 5,000 requests would leave behind if each left a little. */
const MAX_GROWTH_MB = 64
/** The sessions that requests are made for: some are deleted on the way, and others take their place. */
const SESSIONS = 6

it(`18.0 ${REQUESTS} requests made from the API's own description: no 5xx, no hang, and the memory stays level`, async () => {
  const failures: LogLine[] = []
  const server = await startServer({
    runtime: (parts) => openRuntime({ model: 'offline/extractive', models: {}, ...parts }),
    port: 0,
    graceMs: 0,
    log: (line) => void (line.event === 'request-failed' && failures.push(line)),
  })
  onTestFinished(() => server.close())
  const client = createClient({ baseUrl: server.url, fetch: fetchAgain })
  const api = (await (await fetch(`${server.url}/openapi.json`)).json()) as ApiDocument
  const routes = listRoutes(api)
  expect(routes.length).toBeGreaterThan(35)
  const sessions: string[] = []
  for (let made = 0; made < SESSIONS; made += 1) sessions.push(await createUsedSession(client))
  const words = await learnWords(client, api, sessions)
  const random = createRandom(SEED)
  const sender = createSender(server.url, DEADLINE_MS)
  onTestFinished(() => sender.close())

  const problems: string[] = []
  const statuses = new Map<number, number>()
  let left = REQUESTS
  async function work(): Promise<void> {
    while (left > 0) {
      const request = makeRequest(random, words, chooseRoute(random, routes, left))
      left -= 1
      const answered = await sender.send(request).catch((error: unknown) => String(error))
      const status = typeof answered === 'string' ? 0 : answered.status
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const problem = typeof answered === 'string' ? answered : judge(request, answered)
      if (problem !== null) problems.push(`${problem}: ${describeRequest(request)}`)
      if (request.method === 'DELETE' && status === 204) await replaceGone(client, sessions)
    }
  }
  async function run(count: number): Promise<void> {
    left = count
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }
  const startedAt = performance.now()
  await run(REQUESTS / 2)
  const middle = await measureQuietHeap(client)
  await run(REQUESTS / 2)
  const end = await measureQuietHeap(client)
  const told = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  console.log(
    `seed ${SEED} (LONGHAUL_FUZZ_SEED): ${Math.round(performance.now() - startedAt)} ms; ${told.join(', ')}; heap ${middle} MB, then ${end} MB`,
  )
  expect({ problems: problems.slice(0, 10), failures: failures.slice(0, 5) }).toEqual({ problems: [], failures: [] })
  // Most requests are good enough to be carried out.
  expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(REQUESTS / 10)
  expect(end - middle).toBeLessThan(MAX_GROWTH_MB)
  await expectPlainTurn(client, server.url)
}, 180_000)

/** These take a whole conversation each: they come less often. */
const LONG = /^POST .*\/(?:sample|import|compact)$|^DELETE \/api\/sessions\/{id}$/

/** Every route has its turn. */
function chooseRoute(random: Random, routes: readonly Route[], turn: number): Route {
  const route = routes[turn % routes.length] ?? random.pick(routes)
  const isPutOff = LONG.test(`${route.method} ${route.path}`) && random.chance(0.8)
  return isPutOff ? random.pick(routes.filter(({ method }) => method === 'GET')) : route
}

/** A kept connection may be closed at the moment at which it is used again. */
const fetchAgain: typeof fetch = (input, init) => fetch(input, init).catch(() => fetch(input, init))

function judge({ path, method }: FuzzRequest, { status, text }: Answered): string | null {
  if (status >= 500 || status < 200) return `status ${status} ${text.slice(0, 200)}`
  // An address that is too long never reaches the API.
  if (status < 400 || status === 431 || method === 'HEAD' || !path.startsWith('/api/')) return null
  const parsed = apiErrorSchema.safeParse(parseJson(text))
  return parsed.success ? null : `status ${status} without an error of ours: ${text.slice(0, 200)}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function describeRequest({ method, path, headers, body }: FuzzRequest): string {
  return JSON.stringify({ method, path: path.slice(0, 300), headers, body: body?.slice(0, 500) })
}

/** With something in every room: messages, pins, a compaction. */
async function createUsedSession(client: Client): Promise<string> {
  const { id } = await client.createSample()
  await client.addPin(id, 'The gate is green.')
  await client.sendMessage(id, { id: 'm1', text: 'Who imports the real members?' })
  return id
}

async function replaceGone(client: Client, sessions: string[]): Promise<void> {
  for (const [index, id] of sessions.entries()) {
    const isGone = await client.getSession(id).then(
      () => false,
      () => true,
    )
    if (isGone) sessions[index] = (await client.createSession({ title: 'Another' })).id
  }
}

async function learnWords(client: Client, api: ApiDocument, sessions: readonly string[]): Promise<Vocabulary> {
  const models = (await client.listModels()).items.map(({ id }) => id)
  const presets = (await client.listPresets()).items
  const commands = (await client.listCommands()).items.map(({ usage }) => usage)
  const pins = await Promise.all(sessions.map(async (id) => (await client.listPins(id)).items.map((pin) => pin.id)))
  return {
    components: api.components.schemas,
    known: {
      id: () => sessions,
      model: () => [...models.slice(0, 5), 'offline/extractive'],
      preset: () => presets.map(({ name }) => name),
      policy: () => presets.map(({ policy }) => policy),
      line: () => [...commands, ...commands.map((usage) => usage.split(' ')[0])],
      pinId: () => pins.flat(),
      itemId: () => ['user:m1', 'system', 'tools'],
      number: () => [1, 2, 3],
      callId: () => ['c1'],
      name: () => ['MEMORY.md', 'memory/2026-11-15.md'],
      role: () => ['user'],
      // Each that erases a session rewrites the whole file.
      purge: () => ['true', ...Array.from({ length: 9 }, () => 'false')],
      type: () => ['text', 'file'],
    },
  }
}

/** Once what is under way has ended. */
async function measureQuietHeap(client: Client): Promise<number> {
  await client.health()
  await new Promise((resolve) => setTimeout(resolve, 500))
  return measureHeap()
}

function measureHeap(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return Math.round(process.memoryUsage().heapUsed / 1_048_576)
}

async function expectPlainTurn(client: Client, url: string): Promise<void> {
  const { id } = await client.createSession({ title: 'At the end' })
  const answer = await fetch(`${url}/api/sessions/${id}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'The tank holds 300 litres.' }),
  })
  const types: string[] = []
  for await (const { event } of readEvents(answer)) types.push(event.type)
  expect(types).toEqual(expect.arrayContaining(['message-stored', 'response-complete', 'done']))
}
