import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWireServer } from '@longhaul/models/testing'
import type { WireRequest, WireServer } from '@longhaul/models/testing'
import { createSqliteStore } from '@longhaul/store'
import type { Store } from '@longhaul/store/port'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answerHost } from '../../../test/hosts/host-brain.ts'
import { createWireClient } from './testing/create-wire-client.ts'
import type { WireClient } from './testing/create-wire-client.ts'
import { startGateway } from './testing/start-gateway.ts'
import type { GatewayUnderTest } from './testing/start-gateway.ts'
import type { WireName } from './wires/wire.ts'

const WINDOW = 32_000
const TURNS = 45
const PLACES = ['sextant', 'turbine', 'loom', 'anvil', 'carillon', 'kiln'] as const
const NAMES = ['amber heron', 'cobalt otter', 'scarlet finch', 'ivory lynx', 'teal badger', 'violet mole'] as const

let folder: string
let file: string
let store: Store
let server: WireServer
let under: GatewayUnderTest

async function start(): Promise<GatewayUnderTest> {
  const upstream = server.baseURL.replace(/\/v1$/, '')
  store = await createSqliteStore({ file })
  return startGateway({
    store,
    windowOf: () => null,
    upstreams: {
      anthropic: { type: 'anthropic', baseURL: upstream },
      openai: { type: 'openai', baseURL: server.baseURL },
    },
  })
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-gateway-'))
  file = join(folder, 'sessions.db')
  server = await startWireServer({ windowTokens: WINDOW, otherwise: answerHost })
  under = await start()
})
afterEach(async () => {
  await under.close()
  await server.close()
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

function line(turn: number, topic: string): string {
  const fact = turn < PLACES.length ? `The ${PLACES[turn]} is called ${topic} ${NAMES[turn]}. ` : ''
  return `${fact}Part ${turn} of ${topic}: ${`Row ${turn} wants water and some ${topic} care. `.repeat(75)}`.slice(
    0,
    3_000,
  )
}

async function talk(client: WireClient, topic: string, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    const answer = await client.say(line(turn, topic), { isStreamed: turn % 3 === 2 })
    expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  }
}

async function expectFacts(client: WireClient, topic: string): Promise<void> {
  for (const [index, place] of PLACES.entries()) {
    const answer = await client.say(`What is the ${place} called?`)
    expect(answer.text).toContain(`${topic} ${NAMES[index]}`)
  }
}

const isTurn = ({ body }: WireRequest): boolean => Array.isArray(body['tools'])
const listOf = ({ body }: WireRequest): readonly unknown[] => (body['messages'] ?? body['input']) as unknown[]

describe.each<WireName>(['anthropic', 'openai-chat', 'openai-responses'])('a long conversation over %s', (wire) => {
  it('goes on past the window without a refusal, and goes on after a hard stop', async () => {
    const client = createWireClient({ url: () => under.url, wire })
    await talk(client, 'garden', TURNS)
    const refused = server.requests.filter((request) => request.refused !== null)
    expect(refused.map(({ refused: why }) => why)).toEqual(refused.map(() => 'too-long'))
    expect(refused.length).toBeLessThanOrEqual(3)
    const turns = server.requests.filter(isTurn)
    const firstRefused = turns.findIndex((request) => request.refused !== null)
    expect(firstRefused).toBeGreaterThan(15)
    expect(turns.slice(0, firstRefused).map(({ text }) => text)).toEqual(client.bodies.slice(0, firstRefused))
    await expectFacts(client, 'garden')
    const { edited, requests, refusalsUpstream, tokensNotSent } = under.gateway.report()
    expect(requests).toBe(TURNS + PLACES.length)
    expect(edited).toBeGreaterThan(5)
    expect(tokensNotSent).toBeGreaterThan(10_000)
    expect(refusalsUpstream).toBe(refused.length)

    const before = listOf(server.requests.findLast(isTurn) as WireRequest).slice(0, 3)
    await under.kill()
    await store.close()
    under = await start()
    const answer = await client.say('And now?')
    expect(answer.headers.get('x-longhaul-view')).toBe('edited')
    expect(listOf(server.requests.findLast(isTurn) as WireRequest).slice(0, 3)).toEqual(before)
    await expectFacts(client, 'garden')
    expect((await store.sessions.list({})).items).toHaveLength(1)
    // The stopped one still holds the right to write for a while.
    expect(under.lines.filter((text) => !text.includes('another process owns'))).toEqual([])
  })

  it('is not mixed with others that begin with the same words', async () => {
    const clients = ['orchard', 'harbor'].map(() => createWireClient({ url: () => under.url, wire }))
    for (const client of clients) await client.say('Let us begin.')
    for (let turn = 0; turn < 30; turn += 1)
      for (const [index, topic] of ['orchard', 'harbor'].entries()) {
        const answer = await clients[index]?.say(line(turn, topic), { isStreamed: turn % 3 === 2 })
        expect(answer?.status).toBe(200)
        const sent = server.requests.findLast(isTurn)?.text ?? ''
        expect(sent).not.toContain(topic === 'orchard' ? 'harbor' : 'orchard')
      }
    for (const [index, topic] of ['orchard', 'harbor'].entries()) await expectFacts(clients[index] as WireClient, topic)
    expect((await store.sessions.list({})).items).toHaveLength(2)
  })
})

it('stores and logs no credentials', async () => {
  const client = createWireClient({ url: () => under.url, wire: 'anthropic' })
  await talk(client, 'garden', 25)
  await under.close()
  await store.close()
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name), 'latin1')
    expect(bytes).not.toContain('sk-the-secret-key')
  }
  expect(under.lines.join('\n')).not.toContain('sk-the')
  under = await start()
})
