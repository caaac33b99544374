import type { Context, MiddlewareHandler } from 'hono'
import { ApiFailure } from '../api-failure.ts'
import { isApiPath } from './api-path.ts'
import { isGatewayPath } from './gateway-path.ts'

const PREFLIGHT_SECONDS = '600'

/**
 * Pages of other sites get nothing from the API, whatever they ask: only our own origin and those of
 * `server.allowedOrigins`, which also get the CORS headers they need. Programs send no `Origin` and pass.
 */
export function checkOrigin(allowed: readonly string[]): MiddlewareHandler {
  const known = new Set(allowed.map((origin) => origin.toLowerCase().replace(/\/$/, '')))
  return async (context, next) => {
    const { method, path } = context.req
    const isReading = method === 'GET' || method === 'HEAD'
    if (isReading && !isApiPath(path) && !isGatewayPath(path)) return next()
    const origin = context.req.header('origin')
    const isKnown = origin !== undefined && known.has(origin.toLowerCase())
    if (isKnown) allow(context, origin)
    else if (origin === undefined ? isFromElsewhere(context) : !isSameOrigin(context, origin))
      throw new ApiFailure('forbidden', 'Pages of other origins may not use this server. See server.allowedOrigins.')
    if (isKnown && method === 'OPTIONS') return context.body(null, 204)
    await next()
  }
}

/** Where a browser sends no `Origin`, it says whether the page is one of ours. */
function isFromElsewhere(context: Context): boolean {
  const site = context.req.header('sec-fetch-site')
  return site === 'cross-site' || site === 'same-site'
}

/** By name and port: behind a proxy that speaks TLS, the scheme is the proxy's. */
function isSameOrigin(context: Context, origin: string): boolean {
  if (context.req.header('sec-fetch-site') === 'cross-site') return false
  const host = (context.req.header('host') ?? new URL(context.req.url).host).toLowerCase()
  const [, own] = /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase()) ?? []
  return own === host
}

function allow(context: Context, origin: string): void {
  context.header('access-control-allow-origin', origin)
  context.header('vary', 'Origin', { append: true })
  context.header('access-control-expose-headers', 'Last-Event-ID')
  if (context.req.method !== 'OPTIONS') return
  context.header('access-control-allow-methods', 'GET, POST, PATCH, DELETE')
  context.header('access-control-allow-headers', 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID')
  context.header('access-control-max-age', PREFLIGHT_SECONDS)
}
