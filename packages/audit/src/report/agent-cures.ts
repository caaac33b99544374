import type { AgentTotals } from './audit-report.ts'

/** How an agent is called, and how it is run with Longhaul. */
export interface AgentCure {
  readonly name: string
  /** The command to type or the setting to change; null where Longhaul does not support this agent. */
  readonly command: string | null
  /** The same as a sentence. */
  readonly sentence: string
}

/** See docs/hosts.md and docs/guide/run.md. */
const CURES: Readonly<Record<AgentTotals['agent'], AgentCure>> = {
  'claude-code': {
    name: 'Claude Code',
    command: 'longhaul run claude',
    sentence: 'Start it by longhaul run claude instead of claude. Its own words may follow.',
  },
  codex: {
    name: 'Codex',
    command: 'longhaul run codex',
    sentence: 'Start it by longhaul run codex instead of codex. Its own words may follow.',
  },
  openclaw: {
    name: 'OpenClaw',
    command: 'openclaw plugins install @longhaul/openclaw',
    sentence: 'Install the plug-in by openclaw plugins install @longhaul/openclaw, and restart its gateway.',
  },
  pi: {
    name: 'pi',
    command: 'pi install npm:@longhaul/pi',
    sentence: 'Install the extension by pi install npm:@longhaul/pi.',
  },
  'gemini-cli': {
    name: 'Gemini CLI',
    command: null,
    sentence: 'Longhaul cannot stand behind it yet: its gateway does not speak Gemini’s wire format.',
  },
  opencode: {
    name: 'opencode',
    command: '"plugin": ["@longhaul/opencode"]',
    sentence: 'Add "plugin": ["@longhaul/opencode"] to opencode.json.',
  },
  other: {
    name: 'others',
    command: 'longhaul run -- COMMAND',
    sentence: 'Start the program by longhaul run -- COMMAND, if it talks to OpenAI’s or Anthropic’s API.',
  },
}

export function findCure(agent: AgentTotals['agent']): AgentCure {
  return CURES[agent]
}
