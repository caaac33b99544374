import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRegistry, priceUsage } from '@longhaul/models/prices'
import type { GatewayOptions, GatewayReport } from './gateway-options.ts'
import { createDirectory } from './recognize/create-directory.ts'
import { keyedHash } from './recognize/keyed-hash.ts'
import { createOpenConversations } from './recognize/open-conversations.ts'
import { createDeadline } from './serve/create-deadline.ts'
import { createTally } from './serve/create-tally.ts'
import type { GatewayContext } from './serve/gateway-context.ts'
import { serveCall } from './serve/serve-call.ts'
import { createUpstreamClient } from './upstream/create-upstream-client.ts'

/** Stands between any program that speaks a vendor's wire and that vendor. */
export interface Gateway {
  /**
   * Serves a request whose path begins with `/gateway/`. `GET /gateway/report` gives the report, and `GET /gateway/proof`
   * the proof for the nonce in the header `x-longhaul-nonce`. Never rejects.
   */
  readonly handle: (incoming: IncomingMessage, outgoing: ServerResponse, at: { readonly path: string }) => Promise<void>
  readonly report: () => GatewayReport
  /**
   * Only a gateway on the same store can give the same answer: a program that asks with a nonce of its own is not deceived
   * by another program at this port, nor by one that hands the question on to a gateway at another port.
   */
  readonly prove: (nonce: string, port: number) => Promise<string>
  /** Waits a bounded time for summaries that are under way, and gives the conversations back. */
  readonly close: () => Promise<void>
}

/** A client's path never is one of these: it names an upstream, and goes on. */
const REPORT_PATH = '/gateway/report'
const PROOF_PATH = '/gateway/proof'

function sendJson(outgoing: ServerResponse, value: unknown): void {
  outgoing.writeHead(200, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify(value))
}

/**
 * Makes a gateway.
 *
 * @example
 * const gateway = createGateway({ store, secret, upstreams: { anthropic: { type: 'anthropic', baseURL: 'https://api.anthropic.com' } } })
 * createServer((incoming, outgoing) => gateway.handle(incoming, outgoing, { path: incoming.url ?? '' }))
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { store, upstreams, secret, policy } = options
  const log = options.log ?? ((line) => console.warn(line))
  const client = createUpstreamClient()
  const tally = createTally()

  const table = createModelTable(upstreams)
  const conversations = createOpenConversations({ store, policy, warn: log })
  const context: GatewayContext = {
    upstreams,
    secret: askOnce(secret),
    windowOf: options.windowOf ?? table.windowOf,
    priceOf: options.priceOf ?? table.priceOf,
    directory: createDirectory({ store, conversations }),
    deadline: createDeadline(options.deadlineMs ?? DEADLINE_MS),
    client,
    tally,
    log,
  }

  async function prove(nonce: string, port: number): Promise<string> {
    return keyedHash(await context.secret(), 'proof', nonce, String(port))
  }

  return {
    async handle(incoming, outgoing, { path }) {
      try {
        if (path === REPORT_PATH && incoming.method === 'GET') return sendJson(outgoing, tally.read())
        if (path === PROOF_PATH && incoming.method === 'GET') {
          const nonce = String(incoming.headers['x-longhaul-nonce'] ?? '')
          return sendJson(outgoing, { proof: await prove(nonce, incoming.socket.localPort ?? 0) })
        }
        await serveCall(incoming, outgoing, { path, context })
      } catch {
        log('gateway: a call could not be served')
        outgoing.destroy()
      }
    },
    report: tally.read,
    prove,
    async close() {
      await Promise.all([...conversations.all()].map(({ session }) => session.close()))
      client.close()
    },
  }
}

function askOnce(secret: GatewayOptions['secret']): () => Promise<string> {
  let asked: Promise<string> | null = typeof secret === 'string' ? Promise.resolve(secret) : null
  return () => {
    asked ??= (secret as () => Promise<string>)().catch((error: unknown) => {
      asked = null
      throw error
    })
    return asked
  }
}

/** More than a session's own deadline. */
const DEADLINE_MS = 30_000

/** Windows and prices of the vendors' own models, by the names that the vendors give them. */
function createModelTable(upstreams: GatewayOptions['upstreams']): Pick<GatewayContext, 'windowOf' | 'priceOf'> {
  const registry = createRegistry({ providers: upstreams })
  return {
    windowOf(upstream, model) {
      const { maxInput, contextWindow } = registry.describe(`${upstream}/${model}`)
      return maxInput ?? contextWindow
    },
    priceOf: (upstream, model, usage) => priceUsage(registry.describe(`${upstream}/${model}`).price, usage),
  }
}
