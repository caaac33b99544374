import { Hono } from 'hono'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMetrics } from '../telemetry/metrics/create-metrics.ts'
import { answerWithEvents } from './event-stream.ts'
import type { NumberedEvent } from './event-stream.ts'

function serve(follow: (signal: AbortSignal) => AsyncGenerator<NumberedEvent>) {
  const stopping = new AbortController()
  const metrics = createMetrics()
  const server = { stopping: stopping.signal, metrics, log: () => undefined }
  const app = new Hono().get('/', (context) => answerWithEvents(context, server, follow))
  const countOpen = (): string => /^longhaul_active_streams(?:\{\})? (\d+)$/m.exec(metrics.render())?.[1] ?? 'unknown'
  return { app, stopping, countOpen }
}

/** Nothing ever happens. */
async function* waitFor(signal: AbortSignal): AsyncGenerator<NumberedEvent> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  yield* []
}

afterEach(() => void vi.useRealTimers())

describe('answerWithEvents', () => {
  it('writes each event with its id', async () => {
    const { app } = serve(async function* () {
      yield { id: 7, event: { type: 'text-delta', text: 'two\nlines' } }
    })
    const response = await app.request('/')
    expect(await response.text()).toBe('retry: 1000\n\nid: 7\ndata: {"type":"text-delta","text":"two\\nlines"}\n\n')
  })

  it('keeps a silent connection alive by comments', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { app, stopping } = serve(waitFor)
    const reader = (await app.request('/')).body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe('retry: 1000\n\n')
    for (let beat = 0; beat < 3; beat += 1) {
      const next = reader?.read()
      await vi.advanceTimersByTimeAsync(15_000)
      expect((await next)?.value).toBe(':\n\n')
    }
    stopping.abort()
    expect(await reader?.read()).toEqual({ done: true, value: undefined })
  })

  it('ends the following when the client goes away, whether or not it was reading', async () => {
    const signals: AbortSignal[] = []
    const { app, countOpen } = serve((signal) => {
      signals.push(signal)
      return waitFor(signal)
    })
    const reading = await app.request('/')
    const leaving = new AbortController()
    await app.request('/', { signal: leaving.signal })
    expect(countOpen()).toBe('2')
    await reading.body?.cancel()
    leaving.abort()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    expect(countOpen()).toBe('0')
  })

  it('asks for no event before the last one was taken', async () => {
    let asked = 0
    const { app } = serve(async function* () {
      for (;;) yield { id: (asked += 1), event: { type: 'text-delta' } }
    })
    const reader = (await app.request('/')).body?.getReader()
    for (let taken = 0; taken < 5; taken += 1) await reader?.read()
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toBeLessThanOrEqual(5)
    await reader?.cancel()
  })

  it('closes without an error when events cannot be read, so that the client comes back', async () => {
    const { app, countOpen } = serve(async function* () {
      yield { id: 1, event: { type: 'text-delta' } }
      throw new Error('the store is gone')
    })
    expect(await (await app.request('/')).text()).toContain('id: 1')
    expect(countOpen()).toBe('0')
  })

  it('opens nothing for HEAD', async () => {
    const { app, countOpen } = serve(waitFor)
    expect((await app.request('/', { method: 'HEAD' })).headers.get('content-type')).toContain('text/event-stream')
    expect(countOpen()).not.toBe('1')
  })
})
