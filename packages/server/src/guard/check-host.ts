import type { MiddlewareHandler } from 'hono'
import { ApiFailure } from '../api-failure.ts'
import { isLoopback } from './is-loopback.ts'

/**
 * Answers only to names it is known by. A page of somebody else's whose name suddenly points at this machine (DNS
 * rebinding) is same-origin to a browser; the `Host` it sends gives it away.
 */
export function checkHost(allowed: readonly string[]): MiddlewareHandler {
  const known = new Set(allowed.map((host) => host.toLowerCase()))
  return async (context, next) => {
    const host = (context.req.header('host') ?? new URL(context.req.url).host).toLowerCase()
    const name = /^(\[[\da-f:.]+\]|[^:[\]/\\@?#\s]+)(?::\d{1,5})?$/.exec(host)?.[1]
    const isKnown =
      name !== undefined && (isLoopback(name) || known.has(name) || known.has(host) || known.has(unbracket(name)))
    if (!isKnown)
      throw new ApiFailure('forbidden', 'This server is not known by that name. Add it to server.allowedHosts.')
    await next()
  }
}

function unbracket(name: string): string {
  return name.replace(/^\[|\]$/g, '')
}
