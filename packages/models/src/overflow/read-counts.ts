import type { ModelFailure, ModelFailureKind } from '../port/model-failure.ts'
import { readCount } from './table/text-pattern.ts'

export type CountGroups = Readonly<Record<string, string | undefined>>

export type Verdict = Pick<ModelFailure, 'kind' | 'tokens'>

/**
 * Numbers of an error's text made into a prompt and a limit. An overflow whose prompt alone would fit is one of the
 * output: asking for less of it is the cheaper cure.
 */
export function readCounts(kind: ModelFailureKind, groups: CountGroups): Verdict {
  const limit = readCount(groups['limit'])
  const output = readCount(groups['output'])
  const prompt = readPrompt(groups, output)
  const tokens = prompt === null && limit === null ? null : { actual: prompt, limit }
  if (kind !== 'input-overflow' || limit === null || output === null) return { kind, tokens }
  const atLeast = readCount(groups['atLeast'])
  if (atLeast === null) return { kind: prompt !== null && prompt <= limit ? 'output-overflow' : kind, tokens }
  // Counting stopped where the sum passed the limit: the prompt may be far larger, and with a token less of output the
  // same error would come again with a token more of input. So the prompt must shrink, unless no prompt at all would fit.
  if (output >= limit) return { kind: 'output-overflow', tokens: { actual: null, limit } }
  return { kind, tokens: { actual: atLeast > limit ? atLeast : null, limit } }
}

function readPrompt(groups: CountGroups, output: number | null): number | null {
  const actual = readCount(groups['actual'])
  if (actual !== null) return actual
  const total = readCount(groups['total'])
  return total === null ? null : Math.max(0, total - (output ?? 0))
}
