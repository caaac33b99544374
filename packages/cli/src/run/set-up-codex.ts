import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Variables } from '@longhaul/runtime/environment'
import { CliError } from '../program/cli-error.ts'
import { upstreamFrom } from './agent-setup.ts'
import type { AgentSetup } from './agent-setup.ts'

/** Where requests with a login at ChatGPT go. */
const CHATGPT = { type: 'openai', baseURL: 'https://chatgpt.com/backend-api/codex' } as const
const LOGIN_MS = 10_000
/** Codex takes the largest window that the model has, at most. */
const BEYOND_ANY_WINDOW = 1_000_000_000

/**
 * Codex reads an address from its configuration alone, so it is given one for this run: a provider of another name, with the
 * user's own login. Under the name of OpenAI it would speak over sockets, and let the provider compact.
 */
export function setUpCodex(environment: Variables, program: string | null): AgentSetup {
  const { provider, baseURL } = readOwnConfig(environment)
  if (provider !== null && provider !== 'openai')
    throw new CliError(
      `Codex is set to the provider ${provider}. Only OpenAI’s own can be run like this; for another, see docs/guide/run.md.`,
    )
  const login = program === null ? 'none' : readLogin(program, environment)
  const hasKey = (environment['OPENAI_API_KEY'] ?? '') !== '' && (environment['CODEX_API_KEY'] ?? '') === ''
  const credentials = login === 'none' && hasKey ? 'env_key = "OPENAI_API_KEY"' : 'requires_openai_auth = true'
  return {
    program: 'codex',
    install: 'npm install -g @openai/codex',
    upstreams: {
      ...upstreamFrom('openai', baseURL ?? undefined),
      ...(login === 'chatgpt' ? { chatgpt: CHATGPT } : {}),
    },
    connect(root) {
      const address = login === 'chatgpt' ? `${root}/chatgpt` : `${root}/openai/v1`
      const parts = ['name = "Longhaul"', `base_url = "${address}"`, 'wire_api = "responses"', credentials]
      const settings = [
        'model_provider="longhaul"',
        `model_providers.longhaul={ ${parts.join(', ')} }`,
        `model_context_window=${BEYOND_ANY_WINDOW}`,
        `model_auto_compact_token_limit=${BEYOND_ANY_WINDOW}`,
      ]
      return { words: settings.flatMap((setting) => ['-c', setting]), variables: {} }
    },
  }
}

interface OwnConfig {
  readonly provider: string | null
  readonly baseURL: string | null
}

/** Two keys of the user's configuration that decide where requests go. */
function readOwnConfig({ CODEX_HOME, HOME = homedir() }: Variables): OwnConfig {
  try {
    const text = readFileSync(join(CODEX_HOME ?? join(HOME, '.codex'), 'config.toml'), 'utf8')
    const section = `\n${text}`.search(/\n[ \t]*\[/)
    const top = section < 0 ? text : text.slice(0, section)
    const find = (key: string): string | null =>
      new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*["']([^"']*)["']`, 'm').exec(top)?.[1] ?? null
    return { provider: find('model_provider'), baseURL: find('openai_base_url') }
  } catch {
    return { provider: null, baseURL: null }
  }
}

type Login = 'chatgpt' | 'key' | 'none'

/** Codex itself says how its user is logged in; its credentials are not looked at. */
function readLogin(program: string, environment: Variables): Login {
  if ((environment['CODEX_API_KEY'] ?? '') !== '') return 'key'
  const { status, stdout, stderr } = spawnSync(program, ['login', 'status'], {
    env: { ...environment },
    timeout: LOGIN_MS,
    encoding: 'utf8',
  })
  if (status !== 0) return 'none'
  return /using ChatGPT/i.test(`${stdout}${stderr}`) ? 'chatgpt' : 'key'
}
