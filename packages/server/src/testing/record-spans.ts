import { trace } from '@opentelemetry/api'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base'
import { onTestFinished } from 'vitest'

/** OpenTelemetry's own SDK until the test ends: every span, in the order in which they began. */
export function recordSpans(): readonly ReadableSpan[] {
  const spans: ReadableSpan[] = []
  const recorder: SpanProcessor = {
    onStart: (span) => void spans.push(span),
    onEnd: () => undefined,
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  }
  const provider = new BasicTracerProvider({ spanProcessors: [recorder] })
  trace.setGlobalTracerProvider(provider)
  onTestFinished(async () => {
    trace.disable()
    await provider.shutdown()
  })
  return spans
}
