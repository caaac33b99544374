import type { App, ServerContext } from '../server-context.ts'
import { checkHost } from './check-host.ts'
import { checkOrigin } from './check-origin.ts'
import { checkToken } from './check-token.ts'
import { limitTime } from './limit-time.ts'
import { readBody } from './read-body.ts'
import { setSecurityHeaders } from './security-headers.ts'

/** What every request passes before any route sees it, from the cheapest look to the dearest. */
export function addGuards(app: App, { runtime: { config }, host }: ServerContext): void {
  const { allowedHosts, allowedOrigins } = config.server
  app.use(setSecurityHeaders)
  app.use(checkHost([host, ...allowedHosts]))
  app.use(checkOrigin(allowedOrigins))
  if (config.token !== null) app.use(checkToken(config.token))
  app.use(limitTime)
  app.use(readBody)
}
