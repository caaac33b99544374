import { join, relative } from 'node:path'
import type { ContextPolicy } from '@longhaul/engine/advanced'
import { MEMORY_NAMES, createMemoryTools, createRecallTools } from '@longhaul/agent'
import type { AgentMemory, LogLine, SessionSettings } from '@longhaul/agent'
import type { Store } from '@longhaul/store'
import { askWhenChanged, createWorkspaceTools, setPermissions } from '@longhaul/tools'
import type { AllowedTools, CommandRunner, GuardedPath } from '@longhaul/tools'
import type { Tool } from '@longhaul/tools/port'
import type { Config } from '../config/config.ts'
import { listOwnPaths } from '../config/list-own-paths.ts'
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
      guarded: findGuarded(config),
      commands,
      http: tools.allowPrivateAddresses ? { isForbidden: () => false } : {},
    })
  const ofProgram = own.map(markOfProgram)
  const allowed: AllowedTools = {
    get: (name) => store.learned.getTool(name),
    put: (name, definition) => store.learned.setTool(name, definition),
  }
  // Once for all sessions: they know nothing of a session, and their schemas are dear to make and to keep.
  const forWorkspace = { rw: makeForWorkspace('rw'), ro: makeForWorkspace('ro'), none: makeForWorkspace('none') }

  return async ({ sessionId }, { workspaceAccess: access, toolResults }) => {
    const ofMemory = access === 'none' ? [] : createMemoryTools(memory)
    const offered = [
      ...forWorkspace[access],
      ...(access === 'rw' ? ofMemory : ofMemory.filter(({ savesMemory }) => savesMemory !== true)),
      ...createRecallTools(store, sessionId, { hasArtifacts: toolResults.artifacts }),
      ...ofProgram,
      ...(await mcp.tools()),
    ]
    const permitted = setPermissions(withoutDoubles(offered, log), tools.permissions)
    return permitted.map((tool) => askWhenChanged(tool, allowed))
  }
}

/** Not by spreading it: a tool may be an object of a class, and keep its methods elsewhere. */
function markOfProgram(tool: Tool): Tool {
  const { name, description, inputSchema, savesMemory } = tool
  return {
    name,
    description,
    inputSchema,
    origin: { kind: 'program' },
    ...(savesMemory === undefined ? {} : { savesMemory }),
    permit: (input) => tool.permit(input),
    timeLimitMs: (input) => tool.timeLimitMs?.(input),
    run: (input, context) => tool.run(input, context),
  }
}

/** Memory, settings and data may lie inside the workspace under any name: where the configuration puts them decides. */
function findGuarded({ places }: Config): readonly GuardedPath[] {
  const { workspace, memoryFolder, dataFolder } = places
  const { value: ofMemory } = memoryFolder
  const names = ofMemory === null ? [] : [...MEMORY_NAMES.files, ...MEMORY_NAMES.folders]
  const holdsWorkspace =
    workspace.value === dataFolder.value || !relative(dataFolder.value, workspace.value).startsWith('..')
  const own = listOwnPaths(places).filter((path) => !(holdsWorkspace && path === dataFolder.value))
  return [
    ...names.map((name) => ({ path: join(ofMemory ?? '', name), reason: 'It is read into every later conversation.' })),
    ...own.map((path) => ({ path, reason: 'It holds the settings or the data of Longhaul itself.', isPrivate: true })),
  ]
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
