import type { FactKind } from './facts/fact.ts'
import { FACT_KINDS } from './facts/fact.ts'
import { TALLIES } from './retention.ts'
import type { KindRetention, RetentionResult } from './retention.ts'
import { sumTallies } from './tally.ts'

export function sumRetention(results: readonly RetentionResult[]): RetentionResult {
  const kinds = Object.fromEntries(
    FACT_KINDS.map((kind) => [kind, sumKinds(results.map((result) => result.kinds[kind]))]),
  ) as Record<FactKind, KindRetention>
  const asked = results.flatMap(({ questions }) => (questions === null ? [] : [questions]))
  if (asked.length === 0) return { kinds, questions: null }
  return {
    kinds,
    questions: {
      inContext: sumTallies(asked.map(({ inContext }) => inContext)),
      recalled: sumTallies(asked.map(({ recalled }) => recalled)),
    },
  }
}

export function sumKinds(kinds: readonly KindRetention[]): KindRetention {
  return Object.fromEntries(
    TALLIES.map((name) => [name, sumTallies(kinds.map((kind) => kind[name]))]),
  ) as unknown as KindRetention
}
