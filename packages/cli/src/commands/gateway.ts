import { createGatewayRuntime, refuseAddress, refuseUpstreamName } from '@longhaul/runtime'
import type { Config, ConfiguredUpstream } from '@longhaul/runtime'
import { createLogger, startGatewayServer } from '@longhaul/server'
import type { Invocation } from '../program/invocation.ts'
import { UsageError } from '../program/usage-error.ts'
import { readConfig } from '../system/open-system.ts'

export interface UpstreamWish {
  readonly name: string
  readonly address: string
}

export interface GatewayCommandOptions {
  readonly port?: number
  readonly host?: string
  readonly upstream: readonly UpstreamWish[]
}

/** Runs until it is told to stop. */
export async function runGateway(invocation: Invocation, options: GatewayCommandOptions): Promise<void> {
  const { output, signal } = invocation
  const { port, host } = options
  const config = addUpstreams(await readConfig(invocation), options.upstream)
  const level = invocation.options.verbose === true ? 'debug' : output.isTerminal ? 'warn' : 'info'
  const log = createLogger({ level })
  const runtime = await createGatewayRuntime(config, { log })
  const server = await startGatewayServer({
    runtime,
    log,
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
  }).catch(async (error: unknown) => {
    await runtime.close()
    throw error
  })
  const addresses = listAddresses(server.url, config)
  if (invocation.options.json === true) output.print(JSON.stringify({ url: server.url, upstreams: addresses }))
  else {
    output.print(`Longhaul’s gateway is ready at ${server.url}`)
    for (const [name, address] of Object.entries(addresses)) output.print(`  ${name}: ${address}`)
  }
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  output.note('Stopping: answers under way may end first. Once more stops at once.')
  await server.close()
}

/** An upstream of another name than those of the vendors speaks OpenAI's wire, unless the configuration says otherwise. */
export function addUpstreams(config: Config, wishes: readonly UpstreamWish[]): Config {
  const { upstreams } = config.gateway
  const added = wishes.map(({ name, address }): [string, ConfiguredUpstream] => {
    const [refusal] = [refuseUpstreamName(name) ?? [], refuseAddress(address)].flat()
    if (refusal !== undefined) throw new UsageError(`--upstream ${name}: ${refusal}.`)
    const type = Object.hasOwn(upstreams, name) ? upstreams[name]?.type : undefined
    return [name, { type: type ?? 'openai', baseURL: address }]
  })
  return { ...config, gateway: { ...config.gateway, upstreams: { ...upstreams, ...Object.fromEntries(added) } } }
}

/** What a client is given as its base address. OpenAI's clients expect the version in it, Anthropic's do not. */
function listAddresses(url: string, { gateway, token }: Config): Readonly<Record<string, string>> {
  // The token itself is not printed: a terminal keeps what it showed.
  const root = `${url}/gateway${token === null ? '' : '/t/$LONGHAUL_TOKEN'}`
  const addresses = Object.entries(gateway.upstreams).map(
    ([name, { type }]) => [name, `${root}/${name}${type === 'openai' ? '/v1' : ''}`] as const,
  )
  return Object.fromEntries(addresses)
}
