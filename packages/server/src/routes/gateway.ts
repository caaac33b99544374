import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { HttpBindings } from '@hono/node-server'
import type { Gateway } from '@longhaul/runtime'
import { ApiFailure } from '../api-failure.ts'
import { readGatewayPath } from '../guard/gateway-path.ts'
import { SECURITY_HEADERS } from '../guard/security-headers.ts'
import type { App } from '../server-context.ts'

export interface MountedGateway {
  readonly runtime: { readonly gateway: Gateway }
  /** The calls that are under way: a server that stops lets them come to their end first. */
  readonly passingCalls: Set<object>
  /** Aborted when it takes no more calls. */
  readonly draining: AbortSignal
}

/** For logs and counts alone. */
const CLIENT_LEFT = 499

/**
 * Hands whatever is below `/gateway/` to the gateway, request and answer as they are: it reads the body itself, and pipes
 * the answer.
 */
export function addGatewayRoute(app: App, { runtime: { gateway }, passingCalls, draining }: MountedGateway): void {
  app.all('/gateway/:path{.+}', async (context) => {
    if (draining.aborted) throw new ApiFailure('store-unavailable', 'This server is stopping. Send it again.')
    const { incoming, outgoing } = context.env as Partial<HttpBindings>
    if (incoming === undefined || outgoing === undefined) return context.notFound()
    // A provider's page that somebody opens in a browser runs nothing under our address.
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) outgoing.setHeader(name, value)
    const call = {}
    passingCalls.add(call)
    try {
      // Not the path that was parsed: the provider gets every character as it came.
      await gateway.handle(incoming, outgoing, { path: readGatewayPath(incoming.url ?? '').path })
    } finally {
      passingCalls.delete(call)
    }
    const status = outgoing.headersSent ? outgoing.statusCode : CLIENT_LEFT
    return new Response(null, { status, headers: RESPONSE_ALREADY_SENT.headers })
  })
}
