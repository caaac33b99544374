import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWireServer } from '@longhaul/models/testing'
import type { WireRequest, WireServer } from '@longhaul/models/testing'
import { createSqliteStore } from '@longhaul/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answerHost } from '../../../test/hosts/host-brain.ts'
import { encodeText } from './json/bytes.ts'
import { findElements, findMembers } from './json/scan-json.ts'
import { createWireClient } from './testing/create-wire-client.ts'
import type { WireClient } from './testing/create-wire-client.ts'
import { startGatewayProcess } from './testing/start-gateway-process.ts'
import type { GatewayProcess } from './testing/start-gateway-process.ts'
import type { WireName } from './wires/wire.ts'

const WINDOW = 32_000
const TURNS = 45
const OTHER_TURNS = 30
const PLACES = ['sextant', 'turbine', 'loom', 'anvil', 'carillon', 'kiln'] as const
const NAMES = ['amber heron', 'cobalt otter', 'scarlet finch', 'ivory lynx', 'teal badger', 'violet mole'] as const
const SECRET = 'sk-the-secret-key'

let folder: string
let file: string
let server: WireServer
let gateway: GatewayProcess

const start = (): Promise<GatewayProcess> =>
  startGatewayProcess({ file, upstream: server.baseURL.replace(/\/v1$/, '') })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-gateway-'))
  file = join(folder, 'sessions.db')
  server = await startWireServer({ windowTokens: WINDOW, otherwise: answerHost })
  gateway = await start()
})
afterEach(async () => {
  await gateway.kill()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

function line(turn: number, topic: string): string {
  const fact = turn < PLACES.length ? `The ${PLACES[turn]} is called ${topic} ${NAMES[turn]}. ` : ''
  const text = `${fact}Part ${turn} of ${topic}, “grün” 🌱: ${`Row ${turn} wants water and some ${topic} care. `.repeat(80)}`
  return text.slice(0, 3_000)
}

/** What is not edited reaches the upstream as the very text that the client sent. */
async function say(client: WireClient, text: string, isStreamed = false): Promise<string> {
  const answer = await client.say(text, { isStreamed })
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  const isVerbatim = answer.headers.get('x-longhaul-view') === 'verbatim'
  const sent = server.requests.map((request) => request.text)
  expect(sent.includes(client.bodies.at(-1) ?? '') || !isVerbatim).toBe(true)
  return answer.text
}

async function expectFacts(client: WireClient, topic: string): Promise<void> {
  for (const [index, place] of PLACES.entries())
    expect(await say(client, `What is the ${place} called?`)).toContain(`${topic} ${NAMES[index]}`)
}

const isTurn = ({ body }: WireRequest): boolean => Array.isArray(body['tools'])
const turnsOf = (topic: string): readonly WireRequest[] =>
  server.requests.filter((request) => isTurn(request) && request.text.includes(topic))
const tooLong = (): number => server.requests.filter(({ refused }) => refused !== null).length

/** The bytes of the first three messages that were sent. */
function startOf({ text, body }: WireRequest): readonly string[] {
  const bytes = encodeText(text)
  const list = findMembers(bytes, 0).get('messages' in body ? 'messages' : 'input')
  const spans = findElements(bytes, list?.start ?? 0).slice(0, 3)
  return spans.map((span) => bytes.slice(span.start, span.end))
}

async function countSessions(): Promise<number> {
  const store = await createSqliteStore({ file })
  const { items } = await store.sessions.list({})
  await store.close()
  return items.length
}

describe.each<WireName>(['anthropic', 'openai-chat', 'openai-responses'])('a long conversation over %s', (wire) => {
  it('goes on past the window without a refusal, after a SIGKILL, and beside two others that name nothing', async () => {
    const client = createWireClient({ url: () => gateway.url, wire })
    for (let turn = 0; turn < TURNS; turn += 1) await say(client, line(turn, 'garden'), turn % 3 === 2)
    expect(server.requests.flatMap(({ refused }) => refused ?? []).filter((why) => why !== 'too-long')).toEqual([])
    expect(tooLong()).toBeLessThanOrEqual(3)
    const turns = server.requests.filter(isTurn)
    const firstRefused = turns.findIndex(({ refused }) => refused !== null)
    expect(firstRefused).toBeGreaterThan(15)
    expect(turns.slice(0, firstRefused).map(({ text }) => text)).toEqual(client.bodies.slice(0, firstRefused))
    await expectFacts(client, 'garden')
    const { edited, requests, refusalsUpstream, tokensNotSent } = await gateway.report()
    expect(requests).toBe(TURNS + PLACES.length)
    expect(edited).toBeGreaterThan(5)
    expect(tokensNotSent).toBeGreaterThan(10_000)
    expect(refusalsUpstream).toBe(tooLong())
    expect(gateway.lines).toEqual([])

    const before = startOf(turnsOf('garden').at(-1) as WireRequest)
    await gateway.kill()
    gateway = await start()
    await say(client, 'And now?')
    const after = turnsOf('garden').at(-1) as WireRequest
    expect(after.text).toContain('And now?')
    expect(startOf(after)).toEqual(before)
    expect(client.bodies.at(-1)?.length).toBeGreaterThan(after.text.length)
    await expectFacts(client, 'garden')

    await talkBeside(wire, client)
    expect(await countSessions()).toBe(3)
    expect(gateway.lines).toEqual([])
  })
})

/** Two conversations begin with the same words, and each message of one is sent while the other waits for its answer. */
async function talkBeside(wire: WireName, first: WireClient): Promise<void> {
  const topics = ['orchard', 'harbor'] as const
  const clients = topics.map(() => createWireClient({ url: () => gateway.url, wire }))
  for (const client of clients) await say(client, 'Let us begin.')
  for (let turn = 0; turn < OTHER_TURNS; turn += 1)
    await Promise.all(
      topics.map((topic, index) => say(clients[index] as WireClient, line(turn, topic), turn % 3 === 2)),
    )
  for (const [index, topic] of topics.entries()) await expectFacts(clients[index] as WireClient, topic)
  await expectFacts(first, 'garden')
  for (const [topic, others] of [
    ['orchard', ['harbor', 'garden ']],
    ['harbor', ['orchard', 'garden ']],
  ] as const) {
    expect(turnsOf(topic).length).toBeGreaterThanOrEqual(OTHER_TURNS)
    for (const { text } of turnsOf(topic)) for (const other of others) expect(text).not.toContain(other)
  }
}

it('a SIGKILL in the middle of an answer loses nothing, and no credentials are stored or logged', async () => {
  const client = createWireClient({ url: () => gateway.url, wire: 'anthropic' })
  for (let turn = 0; turn < 25; turn += 1) await say(client, line(turn, 'garden'))
  const before = startOf(turnsOf('garden').at(-1) as WireRequest)
  server.reply({ text: ['One ', 'two ', 'three.'], delays: { firstByteMs: 10, pieceMs: 200 } })
  const broken = client.say('Count slowly.', { isStreamed: true }).then(
    () => 'whole',
    () => 'broken',
  )
  await until(() => server.requests.some(({ text }) => text.includes('Count slowly.')))
  await gateway.kill()
  expect(await broken).toBe('broken')
  gateway = await start()
  await say(client, 'Once more, please.')
  expect(startOf(turnsOf('garden').at(-1) as WireRequest)).toEqual(before)
  await expectFacts(client, 'garden')
  for (const name of await readdir(folder)) expect(await readFile(join(folder, name), 'latin1')).not.toContain(SECRET)
  expect(gateway.lines.join('\n')).not.toContain('sk-the')
})

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10))
}
