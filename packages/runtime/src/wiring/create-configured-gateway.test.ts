import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { startWireServer } from '@longhaul/models/testing'
import { createInMemoryStore } from '@longhaul/store'
import { expect, it, onTestFinished } from 'vitest'
import { loadFile } from '../config/testing/load-file.ts'
import { createConfiguredGateway } from './create-configured-gateway.ts'

const TALK = 'The soil is dry and wants some water. '.repeat(80)

it('takes windows and prices of models from the configuration', async () => {
  const upstream = await startWireServer({ otherwise: { text: '<summary>\n+ Goal: keep the garden\n</summary>' } })
  const price = '{ input: 1, output: 2, tiers: [{ aboveInputTokens: 1000, input: 3, output: 4 }] }'
  const config = await loadFile(`{
    gateway: { upstreams: { anthropic: "${upstream.baseURL}" } },
    models: { "anthropic/own-model": { contextWindow: 32000, price: ${price} } },
  }`)
  const gateway = createConfiguredGateway({ config, store: createInMemoryStore(), log: () => undefined })
  const server = createServer((incoming, outgoing) => {
    void gateway.handle(incoming, outgoing, { path: incoming.url ?? '' })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await gateway.close()
    await upstream.close()
  })
  const messages = Array.from({ length: 101 }, (_each, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Bed ${index}: ${TALK}`,
  }))
  const body = { model: 'own-model', max_tokens: 9, tools: [{ name: 'a', input_schema: {} }], messages }
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/gateway/anthropic/v1/messages`
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  expect(answer.headers.get('x-longhaul-view')).toBe('edited')
  const { calls, input, output, usd } = gateway.report().summaries
  expect(calls).toBeGreaterThan(0)
  expect(usd).toBeCloseTo((input * 3 + output * 4) / 1_000_000, 6)
})
