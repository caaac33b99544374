import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Route } from '../read-route.ts'
import type { Wire } from '../wires/wire.ts'

/** A call of a known wire whose body was read. */
export interface GatewayCall {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly route: Route
  readonly url: URL
  readonly wire: Wire
  readonly isCount: boolean
  /** The client's headers, to be sent on. */
  readonly headers: OutgoingHttpHeaders
  /** The body as it came, compressed or not. */
  readonly bytes: Buffer
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
}

/** The body to send, and what is known of it. */
export interface PreparedBody {
  readonly bytes: Buffer
  readonly isEdited: boolean
}
