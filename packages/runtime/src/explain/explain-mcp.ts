import { findToolTokens, fitTools, resolveWindow } from '@longhaul/engine/advanced'
import { describeLeftOut } from '@longhaul/agent'
import type { Models } from '@longhaul/models/port'
import type { Config } from '../config/config.ts'
import { createPolicyFor } from '../policy/create-policy-for.ts'
import type { McpServers } from '../wiring/start-mcp-servers.ts'

/** How one MCP server is, for the owner. */
export interface McpFinding {
  readonly server: string
  /** How many tools a session is offered that has the configured model. */
  readonly tools: number
  /** Whole sentences: it cannot be reached, or which of its tools are left out. */
  readonly problems: readonly string[]
}

/** Waits for servers that start for the first time. */
export async function explainMcp(mcp: McpServers, config: Config, models: Models): Promise<readonly McpFinding[]> {
  const states = await mcp.check()
  const policy = createPolicyFor(config)({ agent: null, preset: null, policy: null })
  const model = config.agents.defaults.model ?? models.defaultModel
  const toolTokens = findToolTokens(policy, resolveWindow(models.windowOf(model), policy).tokens)
  const { tools, leftOut } = fitTools(
    states.flatMap((state) => state.tools),
    { toolTokens, estimator: policy.estimator },
  )
  return states.map(({ server, problems }) => {
    const isOwn = ({ origin }: { readonly origin?: (typeof leftOut)[number]['origin'] }): boolean =>
      origin?.kind === 'mcp' && origin.server === server
    return {
      server,
      tools: tools.filter(isOwn).length,
      problems: [...problems.map((problem) => `${problem}.`), ...leftOut.filter(isOwn).map(describeLeftOut)],
    }
  })
}
