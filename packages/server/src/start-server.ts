import type { LogLine, Runtime, RuntimeOptions } from '@longhaul/runtime'
import { createApp } from './create-app.ts'
import { createServerContext } from './create-server-context.ts'
import { refuseOpenDoor } from './guard/refuse-open-door.ts'
import { bind } from './listen/bind.ts'
import { waitUntilIdle } from './listen/wait-until-idle.ts'
import { addWebApp } from './static/add-web-app.ts'
import type { App } from './server-context.ts'
import { startReviving } from './stream/revive-sessions.ts'
import { createInstruments } from './telemetry/create-instruments.ts'
import { createMetrics } from './telemetry/metrics/create-metrics.ts'

/** What the server brings along for the runtime it works with. */
export type RuntimeParts = Pick<RuntimeOptions, 'address' | 'instruments'>

export interface ServerOptions {
  /** Closed with the server. A function is called once the address is known, so that other processes hear of it. */
  readonly runtime: Runtime | ((parts: RuntimeParts) => Promise<Runtime>)
  readonly host?: string
  /** 0: any that is free. */
  readonly port?: number
  /** The built web app; null: there is none. */
  readonly webFolder?: string | null
  readonly log?: (line: LogLine) => void
  /** How long turns under way may go on when it stops; then they are parked. */
  readonly graceMs?: number
  /** Called each time that a browser opened a one-time address and used it up. */
  readonly onOpened?: () => void
}

export interface RunningServer {
  readonly url: string
  /**
   * A one-time address: the browser that opens it may allow tool calls. Give it to a person alone. Null where the server
   * has a token: clients that know the token may allow them.
   */
  createOpeningAddress(): string | null
  /** Takes no more turns, lets those under way end for a while, parks the rest, and gives every session back. */
  close(): Promise<void>
}

const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 4747
const GRACE_MS = 5_000

/** Listens, and answers from the moment it resolves. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host = DEFAULT_HOST, port = DEFAULT_PORT, webFolder = null, graceMs = GRACE_MS } = options
  const { log = () => undefined, onOpened } = options
  const metrics = createMetrics()
  const ready = Promise.withResolvers<App['fetch']>()
  // Whoever knocks before it is ready waits at the door.
  const listener = await bind({
    host,
    port,
    answer: async (request, bindings) => (await ready.promise)(request, bindings),
  })

  const open = async (): Promise<Runtime> => {
    const { runtime } = options
    if (typeof runtime !== 'function') return runtime
    return runtime({ address: listener.url, instruments: createInstruments({ metrics }) })
  }
  const runtime = await open().catch(async (error: unknown) => {
    await listener.close()
    throw error
  })
  const { context, drain, stop } = createServerContext({ runtime, host, log, metrics, ...(onOpened && { onOpened }) })
  const reviving = startReviving(context)

  async function close(): Promise<void> {
    drain()
    const { followedTurns, passingCalls } = context
    const isIdle = (): boolean => runtime.agent.countBusy() + followedTurns.size + passingCalls.size === 0
    await waitUntilIdle(isIdle, graceMs)
    reviving.stop()
    stop()
    await listener.close()
    await runtime.close()
  }
  let closed: Promise<void> | null = null
  const closeOnce = (): Promise<void> => (closed ??= close())

  const refusal = refuseOpenDoor(host, runtime.config)
  if (refusal !== null) {
    await closeOnce()
    throw refusal
  }
  const app = createApp(context)
  addWebApp(app, webFolder)
  ready.resolve(app.fetch)
  return {
    url: listener.url,
    createOpeningAddress: () =>
      runtime.config.token === null ? listener.url + context.approvalRight.createOpeningPath() : null,
    close: closeOnce,
  }
}
