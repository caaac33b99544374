import type { ServerResponse } from 'node:http'
import { createInMemoryStore } from '@longhaul/store'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toByteText } from './json/bytes.ts'
import { arbitraryBody } from './testing/arbitrary-bodies.ts'
import { findDamage } from './testing/check-sent-list.ts'
import { startGateway } from './testing/start-gateway.ts'
import type { GatewayUnderTest } from './testing/start-gateway.ts'
import { startRecorder } from './testing/start-recorder.ts'
import type { RecordedCall, Recorder } from './testing/start-recorder.ts'
import type { WireName } from './wires/wire.ts'

const BODIES = 2_000
const WIRES = [
  ['anthropic', '/gateway/anthropic/v1/messages', 'messages'],
  ['openai-chat', '/gateway/openai/v1/chat/completions', 'messages'],
  ['openai-responses', '/gateway/openai/v1/responses', 'input'],
] as const satisfies readonly (readonly [WireName, string, string])[]
const PER_WIRE = Math.ceil(BODIES / WIRES.length)

/** Read from the model's name: the window that the gateway knows (0: none), and the bytes that the upstream takes. */
const windowOf = (model: string): number => Number(/^w(\d+)-/.exec(model)?.[1])
const takes = (model: string): number => Number(/-(\d+)$/.exec(model)?.[1])

let upstream: Recorder
let under: GatewayUnderTest

beforeAll(async () => {
  upstream = await startRecorder(answer)
  under = await startGateway({
    store: createInMemoryStore(),
    windowOf: (_upstream, model) => windowOf(model) || null,
    upstreams: {
      anthropic: { type: 'anthropic', baseURL: upstream.baseURL },
      openai: { type: 'openai', baseURL: upstream.baseURL },
    },
  })
})
afterAll(async () => {
  await under.close()
  await upstream.close()
})

const isTurn = ({ body }: RecordedCall): boolean => body.includes('"x_place"') || body.includes('"tools"')

function answer(call: RecordedCall, outgoing: ServerResponse): void {
  const model = /"w\d+-\d+"/.exec(call.body.toString('latin1'))?.[0] ?? ''
  const isTooLong = isTurn(call) && call.body.length > takes(model.slice(1, -1))
  outgoing.writeHead(isTooLong ? 400 : 200, { 'content-type': 'application/json' })
  const text = '<summary>\n+ Goal: look at every body\n</summary>'
  outgoing.end(JSON.stringify(isTooLong ? REFUSAL : { content: [{ type: 'text', text }] }))
}

const REFUSAL = { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long' } }

/** What cannot fit whatever is done; nesting that nothing can walk; members that cannot be told apart. */
const EXPECTED = ['This can never fit', 'RangeError', 'SyntaxError']

const headers = { 'content-type': 'application/json', 'x-longhaul-session': '' }
let count = 0

async function send(
  url: string,
  content: string,
): Promise<{ readonly view: string | null; readonly sent: RecordedCall }> {
  const before = upstream.calls.length
  const reply = await fetch(under.url + url, { method: 'POST', headers, body: content })
  await reply.text()
  const sent = upstream.calls.slice(before).findLast(isTurn)
  if (sent === undefined) throw new Error(`Nothing was sent for ${content.slice(0, 500)}`)
  return { view: reply.headers.get('x-longhaul-view'), sent }
}

describe.each(WIRES)('bodies through a gateway over %s', (wire, url, listKey) => {
  it('leave byte for byte, or are valid and keep every span that nobody edited', async () => {
    const models = fc
      .tuple(fc.constantFrom(0, 1_000, 1_500, 3_000), fc.constantFrom(4_000, 10_000, 1_000_000))
      .map(([window, bytes]) => `w${window}-${bytes}`)
    const seen = { verbatim: 0, edited: 0 }
    await fc.assert(
      fc.asyncProperty(arbitraryBody(wire, { most: 14, isMarked: true }), models, async (drawn, model) => {
        headers['x-longhaul-session'] = `body-${(count += 1)}`
        const own = drawn.replace('"some-model"', `"${model}"`)
        const { view, sent } = await send(url, own)
        expect(view).toMatch(/^(?:verbatim|edited)$/)
        if (view === 'edited') {
          seen.edited += 1
          expect(findDamage(toByteText(Buffer.from(own)), toByteText(sent.body), listKey)).toBeNull()
        } else {
          seen.verbatim += 1
          expect(sent.body.equals(Buffer.from(own))).toBe(true)
        }
      }),
      { numRuns: PER_WIRE },
    )
    expect(seen.edited).toBeGreaterThan(PER_WIRE / 8)
    expect(seen.verbatim).toBeGreaterThan(PER_WIRE / 8)
    expect(under.lines.filter((line) => !EXPECTED.some((words) => line.includes(words)))).toEqual([])
  }, 120_000)
})
