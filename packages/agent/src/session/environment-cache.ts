import type { Environment } from '@longhaul/engine/advanced'

/**
 * Surroundings of sessions whose provider still has them cached: a session that is given back and taken again goes on
 * with the system prompt, files and tools it had.
 */
export interface EnvironmentCache {
  get(sessionId: string): Environment | null
  put(sessionId: string, environment: Environment): void
}

const MAX_KEPT = 1_000

export function createEnvironmentCache(): EnvironmentCache {
  const kept = new Map<string, Environment>()
  return {
    get: (sessionId) => kept.get(sessionId) ?? null,
    put(sessionId, environment) {
      kept.delete(sessionId)
      kept.set(sessionId, environment)
      const [oldest] = kept.keys()
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    },
  }
}
