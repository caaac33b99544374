import type { Variables } from '@longhaul/runtime/environment'
import { CliError } from '../program/cli-error.ts'
import { unlessSet, upstreamFrom } from './agent-setup.ts'
import type { AgentSetup } from './agent-setup.ts'

/** With these, requests go to a cloud's own address, and no base address changes that. */
const ELSEWHERE = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY']

/**
 * Claude Code reads its address from a variable. Its own compaction is switched off; without the second variable it would
 * then refuse by itself, near the end of the window it believes in, and send nothing.
 */
export function setUpClaudeCode(environment: Variables): AgentSetup {
  const elsewhere = ELSEWHERE.find((name) => (environment[name] ?? '') !== '')
  if (elsewhere !== undefined)
    throw new CliError(`${elsewhere} is set, so the requests of Claude Code would go past the gateway. Unset it first.`)
  return {
    program: 'claude',
    install: 'npm install -g @anthropic-ai/claude-code',
    upstreams: upstreamFrom('anthropic', environment['ANTHROPIC_BASE_URL']),
    connect: (root) => ({
      words: [],
      variables: {
        ANTHROPIC_BASE_URL: `${root}/anthropic`,
        ...unlessSet(environment, {
          DISABLE_AUTO_COMPACT: '1',
          CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE: BEYOND_ANY_WINDOW,
        }),
      },
    }),
  }
}

const BEYOND_ANY_WINDOW = '1000000000'
