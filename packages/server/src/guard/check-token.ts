import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { ApiFailure } from '../api-failure.ts'
import { isApiPath } from './api-path.ts'
import { isGatewayPath, readGatewayPath } from './gateway-path.ts'

/** Load balancers ask without a token. */
const PUBLIC_PATHS: ReadonlySet<string> = new Set(['/api/health', '/api/ready'])

/** `Authorization: Bearer …` for everything but the web app's files and the checks whether it runs and is ready. */
export function checkToken(token: string): MiddlewareHandler {
  const wanted = digest(token)
  return async (context, next) => {
    const { path } = context.req
    if (isApiPath(path) && !PUBLIC_PATHS.has(path)) {
      // Digests are of one length, so that the time it takes tells nothing.
      if (!timingSafeEqual(digest(readToken(context.req.header('authorization'))), wanted)) {
        context.header('www-authenticate', 'Bearer')
        throw new ApiFailure('unauthorized', 'Send the token of this server: Authorization: Bearer …')
      }
    }
    await next()
  }
}

/** A client asks this path before it shows the token, so the path works without one. */
const PROOF_PATH = '/gateway/proof'

/**
 * The gateway's clients send `Authorization` to their provider, so they show this server's token in `x-longhaul-token`, or
 * in the path. Neither is passed on.
 */
export function checkGatewayToken(token: string): MiddlewareHandler {
  const wanted = digest(token)
  return async (context, next) => {
    const { path } = context.req
    if (isGatewayPath(path) && path !== PROOF_PATH) {
      // Not the path that was parsed: some of its characters are decoded already.
      const { pathname } = new URL(context.req.raw.url)
      const said = context.req.header('x-longhaul-token') ?? readGatewayPath(pathname).token ?? ''
      if (!timingSafeEqual(digest(said), wanted))
        throw new ApiFailure('unauthorized', 'Send the token of this server: x-longhaul-token, or /gateway/t/TOKEN/…')
    }
    await next()
  }
}

function readToken(authorization = ''): string {
  return /^bearer /i.test(authorization) ? authorization.slice('bearer '.length).trim() : ''
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
