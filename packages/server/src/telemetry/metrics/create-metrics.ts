import type { AgentEvent } from '@longhaul/runtime'
import { createCounter, createGauge, createHistogram } from './families.ts'
import { createFirstTokenClock } from './first-token-clock.ts'

interface AnsweredRequest {
  readonly method: string
  /** As it was declared: what stands for an id is never a label. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

interface SpentTokens {
  readonly model: string
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** What this process did since it started, in numbers. */
export interface Metrics {
  countRequest(request: AnsweredRequest): void
  countEvent(event: AgentEvent, atMs: number): void
  countTokens(tokens: SpentTokens): void
  /** A provider said "too long". */
  countOverflow(model: string, kind: string): void
  /** Returns how to say that it is closed. */
  openStream(): () => void
  /** In the text format of Prometheus. */
  render(): string
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export function createMetrics(): Metrics {
  const requests = createCounter({ name: 'longhaul_http_requests_total', help: 'Requests by route and status.' })
  const durations = createHistogram({
    name: 'longhaul_http_request_duration_seconds',
    help: 'From a request to the head of its answer.',
    buckets: SECONDS,
  })
  const turns = createCounter({ name: 'longhaul_turns_total', help: 'Turns that came to an end, by how.' })
  const tokens = createCounter({ name: 'longhaul_tokens_total', help: 'Tokens that models reported, by kind.' })
  const compactions = createCounter({ name: 'longhaul_compactions_total', help: 'Compactions by what came of them.' })
  const flushes = createCounter({ name: 'longhaul_flushes_total', help: 'Memory flushes by whether they wrote.' })
  const overflows = createCounter({ name: 'longhaul_overflows_total', help: 'Requests a provider found too long.' })
  const firstTokens = createHistogram({
    name: 'longhaul_first_token_seconds',
    help: 'From a stored message to the first token of its answer.',
    buckets: SECONDS,
  })
  const streams = createGauge({ name: 'longhaul_active_streams', help: 'Event streams that are open now.' })
  const families = [requests, durations, turns, tokens, compactions, flushes, overflows, firstTokens, streams]
  const clock = createFirstTokenClock()

  return {
    countRequest({ method, route, status, seconds }) {
      requests.add({ method, route, status: String(status) })
      durations.observe({ method, route }, seconds)
    },
    countEvent(event, atMs) {
      const waitedMs = clock.see(event, atMs)
      if (waitedMs !== null) firstTokens.observe({}, waitedMs / 1_000)
      if (event.type === 'response-complete') turns.add({ outcome: 'answered' })
      else if (event.type === 'error') turns.add({ outcome: event.code })
      else if (event.type === 'flush-completed') flushes.add({ wrote: String(event.wrote) })
      else if (event.type === 'compact-completed')
        compactions.add({ outcome: event.didCompact ? (event.fallback ?? 'summarised') : 'failed' })
    },
    countTokens({ model, ...counts }) {
      for (const [kind, amount] of Object.entries(counts)) if (amount > 0) tokens.add({ model, kind }, amount)
    },
    countOverflow: (model, kind) => overflows.add({ model, kind }),
    openStream() {
      streams.change(1)
      let isOpen = true
      return () => {
        if (isOpen) streams.change(-1)
        isOpen = false
      }
    },
    render: () => `${families.map((family) => family.render()).join('\n')}\n`,
  }
}
