import { SpanStatusCode, trace } from '@opentelemetry/api'
import type { Span, Tracer } from '@opentelemetry/api'

/** Does nothing unless the process was started with an OpenTelemetry SDK. */
export function findTracer(): Tracer {
  return trace.getTracer('longhaul')
}

/** By the conventions, a failure is named by its kind; its words may hold what a user wrote. */
export function markFailed(span: Span, kind: string): void {
  span.setAttribute('error.type', kind)
  span.setStatus({ code: SpanStatusCode.ERROR, message: kind })
}
