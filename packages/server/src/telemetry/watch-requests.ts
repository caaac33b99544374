import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { SpanKind } from '@opentelemetry/api'
import type { ServerContext } from '../server-context.ts'
import { findTracer, markFailed } from './traces/tracer.ts'

/** One line, one count and one span for each request. Paths are logged as declared: ids and queries are nobody's business. */
export function watchRequests({ log, metrics }: Pick<ServerContext, 'log' | 'metrics'>): MiddlewareHandler {
  return async (context, next) => {
    const startedAt = performance.now()
    const { method } = context.req
    const span = findTracer().startSpan(method, {
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': method },
    })
    await next()
    const { status } = context.res
    const route = findRoute(context)
    const seconds = (performance.now() - startedAt) / 1_000
    metrics.countRequest({ method, route, status, seconds })
    log({
      level: status >= 500 ? 'warn' : 'info',
      event: 'request',
      message: `${method} ${route} ${status}`,
      method,
      route,
      status,
      durationMs: Math.round(seconds * 1_000),
    })
    span.updateName(`${method} ${route}`)
    span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
    if (status >= 500) markFailed(span, String(status))
    span.end()
  }
}

/** Whatever people ask for that is not there must not become a label each. */
export function findRoute(context: Context): string {
  const own = matchedRoutes(context).find(({ path }) => !path.endsWith('*'))
  return own?.path ?? (context.res.status === 404 ? 'nothing' : 'static')
}
