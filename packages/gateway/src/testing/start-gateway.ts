import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGateway } from '../create-gateway.ts'
import type { Gateway } from '../create-gateway.ts'
import type { GatewayOptions } from '../gateway-options.ts'

/** A gateway behind a port of its own. */
export interface GatewayUnderTest {
  readonly url: string
  readonly gateway: Gateway
  readonly lines: readonly string[]
  /** Ends it without any of the work of closing, as a killed process would. */
  readonly kill: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function startGateway(options: Omit<GatewayOptions, 'secret' | 'log'>): Promise<GatewayUnderTest> {
  const lines: string[] = []
  const gateway = createGateway({ secret: 'a secret of the test', ...options, log: (line) => lines.push(line) })
  const server = createServer(
    (incoming, outgoing) => void gateway.handle(incoming, outgoing, { path: incoming.url ?? '' }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const kill = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    url: `http://127.0.0.1:${port}`,
    gateway,
    lines,
    kill,
    async close() {
      await kill()
      await gateway.close()
    },
  }
}
