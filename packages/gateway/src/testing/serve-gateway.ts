// A gateway in a process of its own, which a test can kill: `node serve-gateway.ts FILE UPSTREAM`. Nobody knows its window.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSqliteStore } from '@longhaul/store'
import { createGateway } from '../create-gateway.ts'
import type { GatewayMessage } from './start-gateway-process.ts'

const [file = '', upstream = ''] = process.argv.slice(2)
const gateway = createGateway({
  store: await createSqliteStore({ file }),
  secret: 'a secret of the test',
  windowOf: () => null,
  upstreams: {
    anthropic: { type: 'anthropic', baseURL: upstream },
    openai: { type: 'openai', baseURL: `${upstream}/v1` },
  },
  log: (line) => tell({ line }),
})
const server = createServer(
  (incoming, outgoing) => void gateway.handle(incoming, outgoing, { path: incoming.url ?? '' }),
)
process.on('message', () => tell({ report: gateway.report() }))
process.once('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => tell({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))

function tell(message: GatewayMessage): void {
  process.send?.(message)
}
