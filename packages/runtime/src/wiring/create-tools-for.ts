import type { ContextPolicy } from '@longhaul/engine/advanced'
import { createMemoryTools, createRecallTools } from '@longhaul/agent'
import type { AgentMemory, LogLine, SessionSettings } from '@longhaul/agent'
import type { Store } from '@longhaul/store'
import { createWorkspaceTools, setPermissions } from '@longhaul/tools'
import type { CommandRunner } from '@longhaul/tools'
import type { Tool } from '@longhaul/tools/port'
import type { Config } from '../config/config.ts'
import type { McpServers } from './start-mcp-servers.ts'

export interface ToolsOptions {
  readonly config: Config
  readonly store: Store
  readonly memory: AgentMemory
  readonly mcp: McpServers
  readonly commands: CommandRunner
  /** Of the program that uses the runtime. */
  readonly own: readonly Tool[]
  readonly log: (line: LogLine) => void
}

/**
 * The tools of a session, always in the same order. Read-only: nothing that writes, memory included, since it lies in
 * the workspace too. No access: neither files nor memory. What was said in the session can always be found again; whole
 * outputs of tools can be read where the policy stores them.
 */
export function createToolsFor(
  options: ToolsOptions,
): (settings: SessionSettings, policy: ContextPolicy) => Promise<readonly Tool[]> {
  const { config, store, memory, mcp, commands, own, log } = options
  const { places, tools } = config

  const makeForWorkspace = (access: ContextPolicy['workspaceAccess']): readonly Tool[] =>
    createWorkspaceTools({
      folder: places.workspace.value,
      access,
      commands,
      http: tools.allowPrivateAddresses ? { isForbidden: () => false } : {},
    })
  // Once for all sessions: they know nothing of a session, and their schemas are dear to make and to keep.
  const forWorkspace = { rw: makeForWorkspace('rw'), ro: makeForWorkspace('ro'), none: makeForWorkspace('none') }

  return async ({ sessionId }, { workspaceAccess: access, toolResults }) => {
    const ofMemory = access === 'none' ? [] : createMemoryTools(memory)
    const offered = [
      ...forWorkspace[access],
      ...(access === 'rw' ? ofMemory : ofMemory.filter(({ savesMemory }) => savesMemory !== true)),
      ...createRecallTools(store, sessionId, { hasArtifacts: toolResults.artifacts }),
      ...own,
      ...(await mcp.tools()),
    ]
    return setPermissions(withoutDoubles(offered, log), tools.permissions)
  }
}

/** Providers refuse a request with two tools of one name, and with it the session. */
function withoutDoubles(tools: readonly Tool[], log: (line: LogLine) => void): readonly Tool[] {
  const byName = new Map<string, Tool>()
  for (const tool of tools) {
    if (!byName.has(tool.name)) byName.set(tool.name, tool)
    else
      log({ level: 'warn', event: 'tool-left-out', message: `There are two tools called ${tool.name}; one is used.` })
  }
  return [...byName.values()]
}
