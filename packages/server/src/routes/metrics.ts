import { createRoute } from '@hono/zod-openapi'
import type { App, ServerContext } from '../server-context.ts'
import { text } from './answers.ts'

const metricsRoute = createRoute({
  method: 'get',
  path: '/metrics',
  summary: 'What this process did since it started, for Prometheus',
  responses: text('text/plain', 'Counters, gauges and histograms'),
})

export function addMetricsRoute(app: App, { metrics }: ServerContext): void {
  app.openapi(metricsRoute, (context) =>
    context.text(metrics.render(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  )
}
