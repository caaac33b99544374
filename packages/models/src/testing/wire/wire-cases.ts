import type { ProviderConfig } from '../../providers/parse-config.ts'
import type { WireName } from './wire-request.ts'

/** One wire with a provider that speaks it, for tests that hold on all of them. */
export interface WireCase {
  readonly wire: WireName
  readonly provider: string
  readonly model: string
  readonly config: ProviderConfig
}

export const WIRE_CASES: readonly WireCase[] = [
  { wire: 'anthropic', provider: 'anthropic', model: 'claude-sonnet-4-6', config: {} },
  { wire: 'openai-responses', provider: 'openai', model: 'gpt-5.4', config: {} },
  { wire: 'openai-chat', provider: 'local', model: 'my-model', config: { type: 'openai-compatible' } },
  { wire: 'google', provider: 'google', model: 'gemini-3.5-flash', config: {} },
]
