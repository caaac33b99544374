import { afterEach, describe, expect, it } from 'vitest'
import { createModels } from './create-models.ts'
import type { Models } from './port/models.ts'
import { createFastClock } from './testing/drive-call.ts'
import { startWireServer } from './testing/wire/start-wire-server.ts'
import type { WireServer, WireServerOptions } from './testing/wire/start-wire-server.ts'
import { WIRE_CASES } from './testing/wire/wire-cases.ts'
import type { WireCase } from './testing/wire/wire-cases.ts'

/** Half a minute of real time, so that a busy machine fails no test. */
const PATIENT_MS = 3_000_000
const NEVER = new AbortController().signal

let server: WireServer
afterEach(() => server.close())

async function connect({ provider, config }: WireCase, script: WireServerOptions): Promise<Models> {
  server = await startWireServer(script)
  return createModels({
    providers: { [provider]: { ...config, apiKey: 'key-of-this-test', baseURL: server.baseURL } },
    clock: createFastClock(100),
  })
}

describe.each(WIRE_CASES)('a summary that is not streamed, from $wire', (wireCase) => {
  const id = `${wireCase.provider}/${wireCase.model}`
  const request = {
    model: 'session',
    system: 'Summarise.',
    prompt: 'Long ago …',
    maxOutputTokens: 200,
    temperature: 0,
    timeoutMs: PATIENT_MS,
    stream: false,
  }

  it('MICRO-11 is asked for without streaming on the wire, and comes whole with its bill', async () => {
    const usage = { input: 40, output: 5 }
    const models = await connect(wireCase, {
      replies: [{ reasoning: 'hm', text: ['In ', 'short.'], usage }],
      otherwise: { text: 'As ever.' },
    })
    const reply = await models.asker(id)(request, NEVER)
    expect(reply).toMatchObject({ text: 'In short.', finish: 'stop', usage: { input: 40 } })
    expect(server.requests[0]?.messages.map(({ role, text }) => [role, text])).toEqual([
      ['system', 'Summarise.'],
      ['user', 'Long ago …'],
    ])
    expect(server.requests[0]?.body['stream'] ?? false).toBe(false)
    expect(server.requests[0]?.path).not.toContain('stream')

    const { stream: _, ...streamed } = request
    expect(await models.asker(id)(streamed, NEVER)).toMatchObject({ text: 'As ever.' })
    expect(server.requests[1]?.body['stream'] ?? server.requests[1]?.path.includes(':stream')).toBe(true)
  })

  it('MICRO-11 says when it was cut by its limit', async () => {
    const models = await connect(wireCase, { replies: [{ text: 'In sho', finish: 'length' }] })
    expect(await models.asker(id)(request, NEVER)).toMatchObject({ text: 'In sho', finish: 'length' })
  })

  it('MICRO-11 times out, is cancelled and fails as a streamed one does, and is not asked for again', async () => {
    const models = await connect(wireCase, {
      replies: [
        { fault: 'silence' },
        { fault: 'silence' },
        { fault: 'http', status: 503, body: { error: { message: 'Busy' } } },
        { fault: 'reset' },
        { text: 'In short.', breaksOff: { afterPieces: 0, how: 'garbage' } },
      ],
    })
    const ask = models.asker(id)
    await expect(ask({ ...request, timeoutMs: 3_000 }, NEVER)).rejects.toMatchObject({ failure: { kind: 'timeout' } })
    const abort = new AbortController()
    const cancelled = ask(request, abort.signal)
    await expect.poll(() => server.requests.length).toBe(2)
    abort.abort()
    await expect(cancelled).rejects.toMatchObject({ failure: { kind: 'aborted' } })
    await expect(ask(request, NEVER)).rejects.toMatchObject({ failure: { kind: 'unavailable', status: 503 } })
    await expect(ask(request, NEVER)).rejects.toMatchObject({ failure: { kind: 'unavailable' } })
    await expect(ask(request, NEVER)).rejects.toMatchObject({ code: 'call-failed' })
    expect(server.requests).toHaveLength(5)
  })

  it('MICRO-11 that is too long for the window is an overflow', async () => {
    const models = await connect(wireCase, { otherwise: { text: 'ok' }, windowTokens: 2_000 })
    const asked = models.asker(id)({ ...request, prompt: 'x'.repeat(9_000) }, NEVER)
    await expect(asked).rejects.toMatchObject({ failure: { kind: 'input-overflow' } })
  })
})
