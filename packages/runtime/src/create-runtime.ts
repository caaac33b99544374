import { createStrategies } from '@longhaul/engine/advanced'
import type { CompactionStrategy } from '@longhaul/engine/advanced'
import { createAgent, createMemory, formatDay } from '@longhaul/agent'
import type { Agent, AgentMemory, LogLine } from '@longhaul/agent'
import type { Gateway } from '@longhaul/gateway'
import type { Models } from '@longhaul/models/port'
import { createOwner, makeFolder } from '@longhaul/store'
import type { Store } from '@longhaul/store'
import { createCommandRunner } from '@longhaul/tools'
import type { CommandRunner } from '@longhaul/tools'
import type { Tool } from '@longhaul/tools/port'
import { createAuditDesk } from './audit/create-audit-desk.ts'
import type { AuditDesk, AuditPlaces } from './audit/create-audit-desk.ts'
import type { Config } from './config/config.ts'
import { listOwnPaths } from './config/list-own-paths.ts'
import { explainMcp } from './explain/explain-mcp.ts'
import type { McpFinding } from './explain/explain-mcp.ts'
import { createFindWider } from './policy/ceilings.ts'
import type { FindWider } from './policy/ceilings.ts'
import { createPolicyFor } from './policy/create-policy-for.ts'
import { createConfiguredGateway } from './wiring/create-configured-gateway.ts'
import { createConfiguredModels } from './wiring/create-configured-models.ts'
import type { OwnModels } from './wiring/create-configured-models.ts'
import { createMemoryFolder } from './wiring/create-memory-folder.ts'
import { createSurroundingsFor } from './wiring/create-surroundings-for.ts'
import { createToolsFor } from './wiring/create-tools-for.ts'
import { openStore } from './wiring/open-store.ts'
import { startMcpServers } from './wiring/start-mcp-servers.ts'
import { startRetention } from './wiring/start-retention.ts'

/** What a program brings along; all of it may be left out. */
export interface RuntimeOptions {
  readonly log?: (line: LogLine) => void
  readonly instruments?: Instruments
  /** Where other processes reach this one, for sessions that it owns. */
  readonly address?: string
  /** Where agents on this machine keep their sessions; without it, they cannot be audited. */
  readonly audit?: AuditPlaces
  readonly models?: OwnModels
  readonly tools?: readonly Tool[]
  readonly strategies?: readonly CompactionStrategy[]
  /** An idle session is given back after this long. */
  readonly idleMs?: number
  readonly now?: () => number
}

/** See what passes, for metrics and traces, and change none of it. */
export interface Instruments {
  readonly models: (models: Models) => Models
  readonly store: (store: Store) => Store
}

const NO_INSTRUMENTS: Instruments = { models: (models) => models, store: (store) => store }

/** Everything that is needed to hold conversations, put together. */
export interface Runtime {
  readonly config: Config
  readonly store: Store
  readonly models: Models
  readonly memory: AgentMemory
  readonly agent: Agent
  /** Stands between other programs and their providers, on the same store. */
  readonly gateway: Gateway
  /** Audits the sessions of agents on this machine; null: nobody said where they are. */
  readonly audit: AuditDesk | null
  /** Keys by which a session's own words ask for more than the configuration allows: they are not in force. */
  readonly findWider: FindWider
  /** How the MCP servers are. Waits for those that start for the first time. */
  readonly checkMcp: () => Promise<readonly McpFinding[]>
  /** Runs the commands that models ask for. */
  readonly commands: CommandRunner
  /** Turns under way are parked: whoever opens the store next goes on with them. */
  close(): Promise<void>
}

export async function createRuntime(config: Config, options: RuntimeOptions = {}): Promise<Runtime> {
  const { log = () => undefined, instruments = NO_INSTRUMENTS, now = Date.now } = options
  const { places, limits, agents } = config
  const models = instruments.models(createConfiguredModels(config, options.models))
  for (const message of findDoubts(config, models, options)) log({ level: 'warn', event: 'configuration', message })
  makeFolder(places.workspace.value)
  const store = instruments.store(await openStore(config))

  const today = (): string => formatDay(now())
  const folder = places.memoryFolder.value === null ? null : createMemoryFolder(places.memoryFolder.value, log)
  const { embeddingModel } = config.memory
  const memory = createMemory({
    store: store.memory,
    folder,
    now,
    today,
    log,
    ...(embeddingModel === null ? {} : { embedder: models.embedder(embeddingModel) }),
  })
  const mcp = startMcpServers({ servers: config.mcp, folder: places.workspace.value, log })
  const commands = createCommandRunner({
    ...config.tools.command,
    folder: places.workspace.value,
    environment: config.commandEnvironment,
    hidden: listOwnPaths(places),
  })
  const retention = startRetention({ store, sessionsDays: limits.retentionDays, now, log })
  const findWider = createFindWider(config)
  const gateway = createConfiguredGateway({ config, store, log })
  const audit = options.audit === undefined ? null : createAuditDesk(options.audit, { now })
  const agent = createAgent({
    store,
    models,
    owner: createOwner(options.address),
    policyFor: createPolicyFor(config),
    findWider,
    toolsFor: createToolsFor({ config, store, memory, mcp, commands, own: options.tools ?? [], log }),
    surroundingsFor: createSurroundingsFor({ config, memory, log }),
    defaultModelFor: ({ agent: name }) => modelOf(agents, name) ?? models.defaultModel,
    spend: limits,
    now,
    today,
    log,
    ...(options.strategies === undefined ? {} : { strategies: options.strategies }),
    ...(options.idleMs === undefined ? {} : { idleMs: options.idleMs }),
  })

  async function close(): Promise<void> {
    try {
      await agent.close()
    } finally {
      const parts = [gateway, commands, mcp, memory, ...(audit === null ? [] : [audit])]
      await Promise.allSettled([...parts.map((part) => part.close()), retention.stop()])
      await store.close()
    }
  }
  const checkMcp = (): Promise<readonly McpFinding[]> => explainMcp(mcp, config, models)
  let closed: Promise<void> | null = null
  return {
    config,
    store,
    models,
    memory,
    agent,
    gateway,
    audit,
    commands,
    findWider,
    checkMcp,
    close: () => (closed ??= close()),
  }
}

/** null: nobody chose one. An agent that is not there any more has what all have. */
function modelOf({ defaults, list }: Config['agents'], name: string | null): string | null {
  const own = name !== null && Object.hasOwn(list, name) ? list[name] : undefined
  return own?.model ?? defaults.model
}

/** What is allowed but will hardly do what was meant. */
function findDoubts(config: Config, models: Models, { strategies }: RuntimeOptions): readonly string[] {
  const { agents } = config
  const policyFor = createPolicyFor(config)
  const known = createStrategies(strategies)
  const doubts = config.notes.map(({ path, line, replacedBy }) => `${path} (line ${line}) is called ${replacedBy} now.`)
  const doubtModel = (model: string | null): void => {
    if (model !== null && !models.describe(model).available)
      doubts.push(`${model} cannot be used yet: its provider has no key, or is not configured.`)
  }
  doubtModel(config.memory.embeddingModel)
  for (const agent of [null, ...Object.keys(agents.list)]) {
    doubtModel(modelOf(agents, agent))
    const { strategy } = policyFor({ agent, preset: null, policy: null }).compaction
    if (!known.has(strategy))
      doubts.push(`No strategy is called "${strategy}"; known are ${[...known.keys()].join(', ')}.`)
  }
  return [...new Set(doubts)]
}
