import { findToolTokens, fitTools } from '@longhaul/engine/advanced'
import type { ContextPolicy, LeftOutTools, Limits } from '@longhaul/engine/advanced'
import type { Tool } from '@longhaul/tools/port'
import type { AgentOptions, SessionSettings } from '../port/agent-options.ts'

/** The tools of a session, as far as they fit the part of the window that is theirs. */
export interface SessionTools {
  readonly list: () => readonly Tool[]
  /** Tools of others that were offered and do not fit. */
  readonly leftOut: () => readonly LeftOutTools[]
  /** Reads them anew. Rejects, and keeps those there are, where they cannot be read. */
  readonly refresh: () => Promise<void>
  /** What requests hold has changed: what is left out of them now is to be told. */
  readonly noteChange: () => void
  /** What is to be told; each is given once. */
  readonly takeUntold: () => readonly LeftOutTools[]
}

export interface SessionToolsOptions {
  readonly toolsFor: AgentOptions['toolsFor']
  readonly settings: () => SessionSettings
  readonly policy: () => ContextPolicy
  readonly limits: () => Limits | null
}

export function createSessionTools({ toolsFor, settings, policy, limits }: SessionToolsOptions): SessionTools {
  let tools: readonly Tool[] = []
  let leftOut: readonly LeftOutTools[] = []
  let untold: readonly LeftOutTools[] = []
  return {
    list: () => tools,
    leftOut: () => leftOut,
    async refresh() {
      const offered = await toolsFor(settings(), policy())
      const toolTokens = limits()?.toolTokens ?? findToolTokens(policy(), null)
      const fitted = fitTools(offered, { toolTokens, estimator: policy().estimator })
      tools = fitted.tools
      leftOut = fitted.leftOut
    },
    noteChange: () => void (untold = leftOut),
    takeUntold() {
      const taken = untold
      untold = []
      return taken
    },
  }
}

/** For whoever should know which tools a session does without: its user, the log, the owner. */
export function describeLeftOut({ origin, offered, leftOut, tokens }: LeftOutTools): string {
  const who = origin.kind === 'mcp' ? `MCP server ${origin.server}` : 'The program around Longhaul'
  return `${who}: ${leftOut} of ${offered} tools are left out. They would take about ${tokens} tokens; tools of others have a part of the window (toolDefinitions.maxRatio).`
}
