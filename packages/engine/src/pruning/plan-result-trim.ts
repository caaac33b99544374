import type { Estimator } from '../tokens/estimate-message.ts'
import type { Item } from '../transcript/item.ts'
import type { PruneForm } from '../transcript/entry.ts'
import { createBatch } from './batch.ts'
import { charsOf, findResultsFrom } from './prunable.ts'
import type { PrunePlan } from './prune-plan.ts'

const MAX_CHARS = 2_000
const HEAD_CHARS = 1_000
const TAIL_CHARS = 500

/**
 * For a request that the provider refused and no summary could shorten: every long tool result is cut, the newest
 * included, whatever the policy protects. A result that was cut before is cleared.
 */
export function planResultTrim(items: readonly Item[], estimator: Estimator): PrunePlan | null {
  const batch = createBatch(estimator)
  for (const result of findResultsFrom(items, 0)) {
    if (batch.charsOf(result) <= MAX_CHARS) continue
    const totalChars = charsOf(result.stored)
    if (!batch.offer(result, createTrim(totalChars))) batch.offer(result, createClearing(totalChars))
  }
  return batch.createPlan('overflow: the provider would not take the request')
}

function createTrim(totalChars: number): PruneForm {
  const note = `[Tool result trimmed: kept first ${HEAD_CHARS} and last ${TAIL_CHARS} of ${totalChars} characters, because the request was too large.]`
  return { form: 'soft-trimmed', headChars: HEAD_CHARS, tailChars: TAIL_CHARS, note }
}

function createClearing(totalChars: number): PruneForm {
  return {
    form: 'cleared',
    placeholder: `[Tool result cleared: ${totalChars} characters, because the request was too large.]`,
  }
}
