import type { Runtime } from '@longhaul/runtime'
import type { App } from '../server-context.ts'
import { checkHost } from './check-host.ts'
import { checkOrigin } from './check-origin.ts'
import { checkGatewayToken, checkToken } from './check-token.ts'
import { limitTime } from './limit-time.ts'
import { readBody } from './read-body.ts'
import { setSecurityHeaders } from './security-headers.ts'

interface Door {
  readonly runtime: Pick<Runtime, 'config'>
  /** The name or address it listens on. */
  readonly host: string
}

/** Who may come in at all: what every request passes before any route sees it, from the cheapest look to the dearest. */
export function addDoorGuards(app: App, { runtime: { config }, host }: Door): void {
  const { allowedHosts, allowedOrigins } = config.server
  app.use(setSecurityHeaders)
  app.use(checkHost([host, ...allowedHosts]))
  app.use(checkOrigin(allowedOrigins))
  if (config.token === null) return
  app.use(checkToken(config.token))
  app.use(checkGatewayToken(config.token))
}

/** What a request to the API may ask of the server. The gateway stands before these: vendors take their time. */
export function addBodyGuards(app: App): void {
  app.use(limitTime)
  app.use(readBody)
}
