import { OpenAPIHono } from '@hono/zod-openapi'
import type { GatewayRuntime, LogLine } from '@longhaul/runtime'
import { answerFaults } from './answer-faults.ts'
import { readVersion } from './create-server-context.ts'
import { addDoorGuards } from './guard/add-guards.ts'
import { refuseOpenDoor } from './guard/refuse-open-door.ts'
import { bind } from './listen/bind.ts'
import { waitUntilIdle } from './listen/wait-until-idle.ts'
import { addGatewayRoute } from './routes/gateway.ts'
import { addHealthRoute } from './routes/health.ts'
import type { App } from './server-context.ts'
import { createMetrics } from './telemetry/metrics/create-metrics.ts'
import { watchRequests } from './telemetry/watch-requests.ts'

export interface GatewayServerOptions {
  /** Closed with the server. */
  readonly runtime: GatewayRuntime
  readonly host?: string
  /** 0: any that is free. */
  readonly port?: number
  readonly log?: (line: LogLine) => void
  /** How long answers under way may go on when it stops; then they are cut off. */
  readonly graceMs?: number
}

export interface RunningGatewayServer {
  readonly url: string
  /** Takes no more calls, lets those under way end for a while, and gives every conversation back. */
  close(): Promise<void>
}

const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 4750
const GRACE_MS = 5_000

/** The gateway and nothing else, behind the same guards as in the whole server. */
export async function startGatewayServer(options: GatewayServerOptions): Promise<RunningGatewayServer> {
  const { runtime, host = DEFAULT_HOST, port = DEFAULT_PORT, graceMs = GRACE_MS, log = () => undefined } = options
  const refusal = refuseOpenDoor(host, runtime.config)
  if (refusal !== null) throw refusal
  const draining = new AbortController()
  const passingCalls = new Set<object>()

  const app: App = new OpenAPIHono()
  answerFaults(app, { log })
  app.use(watchRequests({ log, metrics: createMetrics() }))
  addDoorGuards(app, { runtime, host })
  addGatewayRoute(app, { runtime, passingCalls, draining: draining.signal })
  addHealthRoute(app, { runtime, version: readVersion() })
  const listener = await bind({ host, port, answer: async (request, bindings) => app.fetch(request, bindings) })

  async function close(): Promise<void> {
    draining.abort()
    await waitUntilIdle(() => passingCalls.size === 0, graceMs)
    await listener.close()
    await runtime.close()
  }
  let closed: Promise<void> | null = null
  return { url: listener.url, close: () => (closed ??= close()) }
}
