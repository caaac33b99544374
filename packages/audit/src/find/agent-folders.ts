import { join, resolve } from 'node:path'
import type { AgentName } from '../report/audit-report.ts'

/** A folder in which an agent keeps sessions, and which of the files in it are sessions. */
export interface AgentFolder {
  readonly agent: AgentName
  readonly folder: string
  /** By the path below the folder, with `/` between its parts. */
  readonly isSession: (path: string) => boolean
}

export interface Whereabouts {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Where each agent's own settings put its sessions. */
export function agentFolders({ home, env }: Whereabouts): readonly AgentFolder[] {
  const own = (name: string, usual: string): string => {
    const told = env[name]
    return told === undefined || told === '' ? join(home, usual) : resolve(expand(told, home))
  }
  const claude = [...new Set([own('CLAUDE_CONFIG_DIR', '.claude'), own('CLAUDE_CONFIG_DIR', '.config/claude')])]
  const codex = own('CODEX_HOME', '.codex')
  const pi = own('PI_CODING_AGENT_DIR', '.pi/agent')
  const piSessions = [...new Set([join(pi, 'sessions'), own('PI_CODING_AGENT_SESSION_DIR', '.pi/agent/sessions')])]
  const data = own('XDG_DATA_HOME', '.local/share')
  const gemini = join(own('GEMINI_CLI_HOME', ''), '.gemini/tmp')
  return [
    ...claude.map((root) => entry('claude-code', join(root, 'projects'), /\.jsonl$/)),
    ...['sessions', 'archived_sessions'].map((name) =>
      entry('codex', join(codex, name), /(?:^|\/)rollout-[^/]*\.jsonl(?:\.zst)?$/),
    ),
    entry('openclaw', join(own('OPENCLAW_STATE_DIR', '.openclaw'), 'agents'), OPENCLAW),
    ...piSessions.map((folder) => entry('pi', folder, /\.jsonl$/)),
    entry('gemini-cli', gemini, /(?:^|\/)chats\/.*\.jsonl?$/),
    entry('opencode', join(data, 'opencode'), /^(?:opencode[^/]*\.db|storage\/session\/[^/]+\/ses_[^/]*\.json)$/),
  ]
}

const OPENCLAW = /^[^/]+\/(?:sessions\/[^/]+\.jsonl|agent\/openclaw-agent\.sqlite)$/

function entry(agent: AgentName, folder: string, pattern: RegExp): AgentFolder {
  return { agent, folder, isSession: (path) => pattern.test(path) }
}

function expand(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path
}
