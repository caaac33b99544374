import type { BootstrapFile, ContextPolicy } from '@longhaul/engine/advanced'
import { divideNotes } from '@longhaul/agent'
import type { AgentMemory, LogLine, SessionSettings, Surroundings } from '@longhaul/agent'
import type { Config } from '../config/config.ts'
import { createSystemPrompt } from '../prompts/system-prompt-v1.ts'
import { BOOTSTRAP_FILES, createBootstrapReader } from './read-bootstrap-file.ts'

export interface SurroundingsOptions {
  readonly config: Config
  readonly memory: AgentMemory
  readonly log: (line: LogLine) => void
}

/** Lies with the rest of memory, which may be elsewhere. */
const MEMORY_FILE = 'MEMORY.md'

/** The system prompt and the files under it, whole: the agent cuts them to what the policy and the window allow. */
export function createSurroundingsFor({
  config,
  memory,
  log,
}: SurroundingsOptions): (settings: SessionSettings, policy: ContextPolicy) => Promise<Surroundings> {
  const { defaults, list } = config.agents
  const readBootstrapFile = createBootstrapReader(config.places.workspace.value, log)

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
    const [remembered, ...texts] = await Promise.all([
      memory.read(MEMORY_FILE),
      ...BOOTSTRAP_FILES.map(readBootstrapFile),
    ])
    const files = BOOTSTRAP_FILES.map((name, index): BootstrapFile => ({ name, text: texts[index] ?? '' }))
    return { system, files: [...files, ...readMemory(remembered ?? '')].flatMap(trimFile) }
  }
}

/** Notes marked as not from the user are loaded as a file of their own, which says so. */
function readMemory(text: string): readonly BootstrapFile[] {
  const { own, foreign } = divideNotes(text)
  return [
    { name: MEMORY_FILE, text: own },
    { name: `${MEMORY_FILE}, notes that are not from the user`, text: foreign, isForeign: true },
  ]
}

function trimFile(file: BootstrapFile): readonly BootstrapFile[] {
  const text = file.text.trim()
  return text === '' ? [] : [{ ...file, text }]
}
