import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { neutralize } from '@longhaul/engine/advanced'
import type { BootstrapFile, ContextPolicy } from '@longhaul/engine/advanced'
import type { AgentMemory, LogLine, SessionSettings, Surroundings } from '@longhaul/agent'
import type { Config } from '../config/config.ts'
import { createSystemPrompt } from '../prompts/system-prompt-v1.ts'

export interface SurroundingsOptions {
  readonly config: Config
  readonly memory: AgentMemory
  readonly log: (line: LogLine) => void
}

/** Files of the workspace that every session is given, in this order, if they are there. */
const BOOTSTRAP_FILES = ['AGENTS.md', 'SOUL.md', 'IDENTITY.md', 'USER.md', 'TOOLS.md'] as const
/** Lies with the rest of memory, which may be elsewhere. */
const MEMORY_FILE = 'MEMORY.md'
/** Only the head is used; what is larger than this is no text that somebody wrote. */
const MAX_FILE_BYTES = 10_000_000

/** The system prompt and the files under it, whole: the agent cuts them to what the policy and the window allow. */
export function createSurroundingsFor({
  config,
  memory,
  log,
}: SurroundingsOptions): (settings: SessionSettings, policy: ContextPolicy) => Promise<Surroundings> {
  const { defaults, list } = config.agents
  const folder = config.places.workspace.value

  async function readBootstrapFile(name: string): Promise<string | null> {
    const path = join(folder, name)
    try {
      const { size } = await stat(path)
      if (size > MAX_FILE_BYTES) throw new Error(`it has ${size} bytes`)
      return await readFile(path, 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      log({ level: 'warn', event: 'file-left-out', message: `${path} is left out: ${String(error)}` })
      return null
    }
  }

  /** null where the configuration says so: then no words of ours stand in the system text. */
  function findSystemPrompt(agent: string | null, { workspaceAccess, toolResults }: ContextPolicy): string | null {
    const own = agent !== null && Object.hasOwn(list, agent) ? list[agent] : undefined
    const stated = own?.systemPrompt === undefined ? defaults.systemPrompt : own.systemPrompt
    if (stated !== undefined) return stated
    return createSystemPrompt({ access: workspaceAccess, hasArtifacts: toolResults.artifacts })
  }

  return async ({ agent }, policy) => {
    const system = findSystemPrompt(agent, policy)
    const { workspaceAccess: access } = policy
    if (access === 'none') return { system, files: [] }
    const texts = await Promise.all([...BOOTSTRAP_FILES.map(readBootstrapFile), memory.read(MEMORY_FILE)])
    const files = [...BOOTSTRAP_FILES, MEMORY_FILE].flatMap((name, index): readonly BootstrapFile[] => {
      const text = texts[index]?.trim() ?? ''
      // Models write into memory; a heading there could pass for another file.
      const shown = name === MEMORY_FILE ? neutralize(text) : text
      return text === '' ? [] : [{ name, text: shown }]
    })
    return { system, files }
  }
}
