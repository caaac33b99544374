import { expect, it } from 'vitest'
import { createInstruments } from '../telemetry/create-instruments.ts'
import { createMetrics } from '../telemetry/metrics/create-metrics.ts'
import { startApp } from '../testing/start-app.ts'

it('counts requests, turns, tokens, compactions and the time to the first token', async () => {
  const metrics = createMetrics()
  const app = await startApp({ metrics, instruments: createInstruments({ metrics }), model: 'offline/extractive' })
  const sample = (await (await app.request('POST', '/api/sessions/sample')).json()) as { id: string }
  await app.say(sample.id, 'Who imports the real members?')
  await app.request('GET', '/api/sessions/nobody')
  await app.request('GET', '/wp-login.php')
  const response = await app.request('GET', '/metrics')
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  const valueOf = (name: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1) ?? Number.NaN,
    )
  expect(valueOf('longhaul_http_requests_total{method="POST",route="/api/sessions/sample",status="201"}')).toBe(1)
  expect(valueOf('longhaul_http_requests_total{method="GET",route="/api/sessions/:id",status="404"}')).toBe(1)
  expect(valueOf('longhaul_turns_total{outcome="answered"}')).toBe(1)
  expect(valueOf('longhaul_compactions_total{outcome="summarised"}')).toBe(1)
  expect(valueOf('longhaul_tokens_total{model="offline/extractive",kind="input"}')).toBeGreaterThan(1_000)
  expect(valueOf('longhaul_first_token_seconds_count')).toBe(1)
  expect(valueOf('longhaul_first_token_seconds_bucket{le="+Inf"}')).toBe(1)
  expect(valueOf('longhaul_active_streams')).toBe(0)
  expect(text).not.toContain('wp-login')
  expect(text).not.toContain(sample.id)
})

it('a stream that is open is counted while it is', async () => {
  const metrics = createMetrics()
  const app = await startApp({ metrics })
  const { id } = await app.createSession()
  const stream = await app.request('GET', `/api/sessions/${id}/events`)
  expect(metrics.render()).toContain('longhaul_active_streams 1')
  await stream.body?.cancel()
  expect(metrics.render()).toContain('longhaul_active_streams 0')
})
