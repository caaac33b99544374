import {
  DEFAULT_PRESET,
  PRESETS,
  isPresetName,
  measureEnvironment,
  parsePolicy,
  toCalibration,
} from '@longhaul/engine/advanced'
import type { Calibration, ContextPolicy, Manifest } from '@longhaul/engine/advanced'
import type { SessionRecord, Store } from '@longhaul/store/port'
import type { SessionSettings, Surroundings } from '../port/agent-options.ts'
import type { ResolvedOptions } from './active-session.ts'
import { createEnvironmentCache } from './environment-cache.ts'

/** The model of a host that did not name it. */
export const UNKNOWN_MODEL = 'unknown'

/**
 * The options by which a host's session is looked at: the host's policy, model and window, none of the tools, prompts and
 * limits that Longhaul's own sessions have.
 */
export function asHostKeepsIt(agent: ResolvedOptions, { id, head }: SessionRecord, origin: string): ResolvedOptions {
  const { store, models } = agent
  return {
    ...agent,
    environments: createEnvironmentCache(),
    policyFor: readHostPolicy,
    findWider: () => [],
    toolsFor: async () => [],
    defaultModelFor: () => UNKNOWN_MODEL,
    surroundingsFor: (_settings, policy) =>
      measureSurroundings(store, { sessionId: id, model: head.model ?? UNKNOWN_MODEL, policy, origin }),
    models: {
      ...models,
      describe: (model) => ({ ...models.describe(model), maxInput: null, maxOutput: null }),
      // The host's own number is in the session's policy.
      windowOf: () => ({ registry: null }),
    },
  }
}

/** The policy that the host's mirror works by. */
function readHostPolicy({ preset, policy }: SessionSettings): ContextPolicy {
  const base = PRESETS[preset !== null && isPresetName(preset) ? preset : DEFAULT_PRESET]
  return parsePolicy(base, policy ?? {}, { compaction: { placement: 'own-message' } })
}

interface SurroundedSession {
  readonly sessionId: string
  readonly model: string
  readonly policy: ContextPolicy
  readonly origin: string
}

const NOTHING: Surroundings = { system: null, files: [] }
/** Calls for summaries stand between those of the conversation. */
const NEWEST_REQUESTS = 8

/** The texts of a host's system prompt and tools are not stored: their size is what its newest request held beside its items. */
async function measureSurroundings(
  store: Pick<Store, 'requests' | 'learned'>,
  { sessionId, model, policy: { estimator }, origin }: SurroundedSession,
): Promise<Surroundings> {
  const [{ items }, learned] = await Promise.all([
    store.requests.list(sessionId, { limit: NEWEST_REQUESTS }),
    store.learned.get(model),
  ])
  const newest = items.find(({ manifest }) => manifest.purpose === undefined)?.manifest
  if (newest === undefined || newest.environmentHash === measureEnvironment({ ...NOTHING, tools: [] }, estimator).hash)
    return NOTHING
  const learnt = learned.calibrations[estimator]
  const tokens = countRest(newest, learnt === undefined ? null : toCalibration(learnt))
  const part = { kind: 'system', label: `system prompt and tools of ${origin}`, tokens, chars: 0 } as const
  return { ...NOTHING, measured: { hash: newest.environmentHash, tokens, parts: [part] } }
}

function countRest({ tokens: reading, items }: Manifest, calibration: Calibration | null): number {
  if (reading.source === 'unknown') return 0
  const { ratio, overheadTokens } = calibration ?? { ratio: 1, overheadTokens: 0 }
  const shown = items.reduce((sum, { tokens }) => sum + tokens, 0)
  return Math.max(0, Math.round((reading.tokens - overheadTokens) / ratio - shown))
}
