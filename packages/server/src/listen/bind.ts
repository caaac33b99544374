import type { Server } from 'node:http'
import { isIPv6 } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { HttpBindings } from '@hono/node-server'
import { ServerError } from '../server-error.ts'

export interface BindOptions {
  readonly host: string
  readonly port: number
  readonly answer: (request: Request, bindings: HttpBindings) => Promise<Response>
}

export interface Listener {
  readonly url: string
  /** Lets answers under way end for a moment, then closes every connection. */
  close(): Promise<void>
}

/** Longer than any route gives a body. */
const REQUEST_TIMEOUT_MS = 300_000
const LAST_WORDS_MS = 1_000

export async function bind({ host, port, answer }: BindOptions): Promise<Listener> {
  const server = createAdaptorServer({
    fetch: (request, bindings) => answer(request, bindings as HttpBindings),
    overrideGlobalObjects: false,
    serverOptions: { requestTimeout: REQUEST_TIMEOUT_MS },
  }) as Server
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(describe(error, host, port)))
    server.listen(port, host, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${bound}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const timer = setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS)
      server.closeIdleConnections()
      await closed
      clearTimeout(timer)
    },
  }
}

function describe(error: NodeJS.ErrnoException, host: string, port: number): ServerError {
  if (error.code === 'EADDRINUSE')
    return new ServerError(
      'port-in-use',
      `Port ${port} is in use. Choose another one: --port 0 takes any that is free.`,
      {
        cause: error,
      },
    )
  return new ServerError('cannot-listen', `Cannot listen on ${host}:${port}: ${error.message}.`, { cause: error })
}
