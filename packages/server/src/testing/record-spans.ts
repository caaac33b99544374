import { trace } from '@opentelemetry/api'
import type { Attributes, Context, Span, SpanOptions, SpanStatus, Tracer } from '@opentelemetry/api'
import { onTestFinished } from 'vitest'

export interface RecordedSpan {
  readonly id: string
  name: string
  /** The id of the span it belongs to. */
  readonly parent: string | null
  readonly attributes: Attributes
  status: SpanStatus | null
  isEnded: boolean
}

/** Stands in for an OpenTelemetry SDK until the test ends: every span, in the order in which they began. */
export function recordSpans(): readonly RecordedSpan[] {
  const spans: RecordedSpan[] = []

  function startSpan(name: string, options: SpanOptions = {}, context?: Context): Span {
    const parent = context === undefined ? undefined : trace.getSpan(context)
    const recorded: RecordedSpan = {
      id: String(spans.length + 1),
      name,
      parent: parent?.spanContext().spanId ?? null,
      attributes: { ...options.attributes },
      status: null,
      isEnded: false,
    }
    spans.push(recorded)
    const span: Partial<Span> = {
      spanContext: () => ({ traceId: '1', spanId: recorded.id, traceFlags: 1 }),
      setAttribute: (key, value) => (Object.assign(recorded.attributes, { [key]: value }), span as Span),
      setAttributes: (attributes) => (Object.assign(recorded.attributes, attributes), span as Span),
      setStatus: (status) => ((recorded.status = status), span as Span),
      updateName: (newName) => ((recorded.name = newName), span as Span),
      end: () => void (recorded.isEnded = true),
    }
    return span as Span
  }
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as unknown as Tracer })
  onTestFinished(() => trace.disable())
  return spans
}
