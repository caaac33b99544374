import { randomBytes } from 'node:crypto'
import { createGatewayRuntime } from '@longhaul/runtime'
import type { Config, ConfiguredUpstream, GatewayReport, GatewayRuntime, LogLine } from '@longhaul/runtime'
import { startGatewayServer } from '@longhaul/server'
import { subtractReport } from './describe-report.ts'

/** A gateway for one run of a program. */
export interface OpenGateway {
  /** For addresses of upstreams: `http://127.0.0.1:4750/gateway`, with the server's token where it has one. */
  readonly root: string
  /** Another process runs it, and it stays when this one ends. */
  readonly isShared: boolean
  /** The work since it was opened; null: the other process does not answer any more. */
  readonly report: () => Promise<GatewayReport | null>
  readonly close: () => Promise<void>
}

export interface GatewayWish {
  readonly config: Config
  /** 0: one of its own, at any port that is free. */
  readonly port: number
  /** Addresses that only a gateway of its own can call. */
  readonly upstreams: Readonly<Record<string, ConfiguredUpstream>>
  readonly log: (line: LogLine) => void
}

/**
 * The gateway that runs at this port already, if it keeps conversations in the same store and needs no other upstreams; else
 * a new one in this process.
 */
export async function openGateway({ config, port, upstreams, log }: GatewayWish): Promise<OpenGateway> {
  const gateway = { ...config.gateway, upstreams: { ...config.gateway.upstreams, ...upstreams } }
  const runtime = await createGatewayRuntime({ ...config, gateway }, { log })
  const isSpecial = Object.keys(upstreams).length > 0 || port === 0
  try {
    const running = isSpecial ? null : await findRunning(runtime, port)
    if (running === null) return await startOwn(runtime, { port: isSpecial ? 0 : port, log })
    await runtime.close()
    return running
  } catch (error) {
    await runtime.close()
    throw error
  }
}

const ASK_MS = 1_000
const NONCE_BYTES = 32

async function findRunning({ gateway, config }: GatewayRuntime, port: number): Promise<OpenGateway | null> {
  const address = `http://127.0.0.1:${port}/gateway`
  // The process on this port would get every API key, so it must first prove that it has the same store.
  const nonce = randomBytes(NONCE_BYTES).toString('hex')
  const answer = await ask(`${address}/proof`, { 'x-longhaul-nonce': nonce })
  if (answer === null || !('proof' in answer)) return null
  const proof = await gateway.prove(nonce, port).catch(() => null)
  if (proof === null || answer.proof !== proof) return null
  const root = address + tokenPath(config)
  const before = await readReport(root)
  if (before === null) return null
  return {
    root,
    isShared: true,
    async report() {
      const now = await readReport(root)
      return now === null ? null : subtractReport(now, before)
    },
    close: () => Promise.resolve(),
  }
}

async function readReport(root: string): Promise<GatewayReport | null> {
  return (await ask(`${root}/report`)) as GatewayReport | null
}

/** null: nobody answers there, or not with an object. */
async function ask(url: string, headers: Record<string, string> = {}): Promise<object | null> {
  try {
    const answer = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(ASK_MS) })
    const said: unknown = await answer.json()
    return answer.ok && typeof said === 'object' ? said : null
  } catch {
    return null
  }
}

interface OwnGateway {
  readonly port: number
  readonly log: GatewayWish['log']
}

async function startOwn(runtime: GatewayRuntime, { port, log }: OwnGateway): Promise<OpenGateway> {
  const start = (at: number) => startGatewayServer({ runtime, log, port: at })
  // Where another program has the port, any other serves as well: nobody else has to find it.
  const server = await start(port).catch(async (error: unknown) => {
    if (port === 0) throw error
    return start(0)
  })
  return {
    root: `${server.url}/gateway${tokenPath(runtime.config)}`,
    isShared: false,
    report: () => Promise.resolve(runtime.gateway.report()),
    close: () => server.close(),
  }
}

/** The programs that are run can send no header of ours. */
function tokenPath({ token }: Config): string {
  return token === null ? '' : `/t/${encodeURIComponent(token)}`
}
