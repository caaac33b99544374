import type { Variables } from '@longhaul/runtime/environment'
import { upstreamFrom } from './agent-setup.ts'
import type { AgentSetup } from './agent-setup.ts'
import { findProgram } from './find-program.ts'
import { setUpClaudeCode } from './set-up-claude-code.ts'
import { setUpCodex } from './set-up-codex.ts'

export const AGENTS = ['claude', 'codex'] as const

export type AgentName = (typeof AGENTS)[number]

export function setUpAgent(agent: AgentName, environment: Variables): AgentSetup {
  switch (agent) {
    case 'claude':
      return setUpClaudeCode(environment)
    case 'codex':
      return setUpCodex(environment, findProgram('codex', environment))
    default:
      return agent satisfies never
  }
}

/** Any other program, which reads its address from the variables that the vendors' own libraries read. */
export function setUpCommand(program: string, environment: Variables): AgentSetup {
  return {
    program,
    install: null,
    upstreams: {
      ...upstreamFrom('anthropic', environment['ANTHROPIC_BASE_URL']),
      ...upstreamFrom('openai', environment['OPENAI_BASE_URL']),
    },
    connect: (root) => ({
      words: [],
      variables: { OPENAI_BASE_URL: `${root}/openai/v1`, ANTHROPIC_BASE_URL: `${root}/anthropic` },
    }),
  }
}
