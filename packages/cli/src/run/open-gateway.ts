import { createGatewayRuntime } from '@longhaul/runtime'
import type { Config, ConfiguredUpstream, GatewayReport, LogLine } from '@longhaul/runtime'
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

/** The gateway that runs at this port already, if it is one and needs no other upstreams; else a new one in this process. */
export async function openGateway(wish: GatewayWish): Promise<OpenGateway> {
  const { config, port } = wish
  const isSpecial = Object.keys(wish.upstreams).length > 0 || port === 0
  const running = isSpecial ? null : await findRunning(`http://127.0.0.1:${port}/gateway${tokenPath(config)}`)
  return running ?? startOwn(wish, isSpecial ? 0 : port)
}

const ASK_MS = 1_000

async function findRunning(root: string): Promise<OpenGateway | null> {
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

/** null: nobody answers there, or somebody else. */
async function readReport(root: string): Promise<GatewayReport | null> {
  try {
    const answer = await fetch(`${root}/report`, { signal: AbortSignal.timeout(ASK_MS) })
    const report = (await answer.json()) as Partial<GatewayReport>
    return answer.ok && typeof report.requests === 'number' && report.summaries !== undefined
      ? (report as GatewayReport)
      : null
  } catch {
    return null
  }
}

async function startOwn({ config, upstreams, log }: GatewayWish, port: number): Promise<OpenGateway> {
  const gateway = { ...config.gateway, upstreams: { ...config.gateway.upstreams, ...upstreams } }
  const runtime = await createGatewayRuntime({ ...config, gateway }, { log })
  const start = (at: number) => startGatewayServer({ runtime, log, port: at })
  try {
    // Where another program has the port, any other serves as well: nobody else has to find it.
    const server = await start(port).catch(async (error: unknown) => {
      if (port === 0) throw error
      return start(0)
    })
    return {
      root: `${server.url}/gateway${tokenPath(config)}`,
      isShared: false,
      report: () => Promise.resolve(runtime.gateway.report()),
      close: () => server.close(),
    }
  } catch (error) {
    await runtime.close()
    throw error
  }
}

/** The programs that are run can send no header of ours. */
function tokenPath({ token }: Config): string {
  return token === null ? '' : `/t/${encodeURIComponent(token)}`
}
