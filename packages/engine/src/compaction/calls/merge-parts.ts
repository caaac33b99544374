import type { SummaryMeasure } from '../../summary/check-summary.ts'
import { estimateField } from '../../tokens/estimate-message.ts'
import type { Estimator } from '../../tokens/estimate-message.ts'
import { askInOrder } from './ask-in-order.ts'
import type { AskedSummary, SummaryCalls } from './ask-summary.ts'
import type { PromptWishes } from '../prompts/closing-lines.ts'
import { createMergePrompt } from '../prompts/merge-v1.ts'
import { fitTokens } from '../summariser-input.ts'

export interface MergeOptions {
  readonly calls: SummaryCalls
  readonly wishes: PromptWishes
  readonly measure: Omit<SummaryMeasure, 'readTokens'>
  readonly callTokens: number
}

/** Makes one summary of several, oldest first; in rounds, where they are too many for one call. */
export async function mergeParts(parts: readonly string[], options: MergeOptions): Promise<AskedSummary> {
  const { calls, wishes, measure, callTokens } = options
  const room = callTokens - estimateField(wishes.wish ?? '', measure.estimator)
  const groups = groupParts(parts, room, measure.estimator)
  const isLast = groups.length === 1
  const merged = await askInOrder(groups, (group) => mergeGroup(group, isLast))
  if (!merged.ok) return merged
  return isLast ? { ok: true, text: merged.texts[0] ?? '' } : mergeParts(merged.texts, options)

  async function mergeGroup(group: readonly string[], isFinal: boolean): Promise<AskedSummary> {
    const [only, ...others] = group
    if (only !== undefined && others.length === 0 && !isFinal) return { ok: true, text: only }
    const readTokens = group.reduce((sum, part) => sum + estimateField(part, measure.estimator), 0)
    const replacedTokens = isFinal ? measure.replacedTokens : null
    return calls.ask(createMergePrompt({ ...wishes, parts: group }), { ...measure, replacedTokens, readTokens })
  }
}

/** Each part may take half of a call, so any two fit and every round leaves fewer parts. */
export function groupParts(
  parts: readonly string[],
  maxTokens: number,
  estimator: Estimator,
): readonly (readonly string[])[] {
  const groups: string[][] = []
  let tokens = 0
  for (const part of parts) {
    const fitted = fitTokens(part, Math.max(1, Math.floor(maxTokens / 2)), estimator)
    const partTokens = estimateField(fitted, estimator)
    const group = groups.at(-1)
    if (group === undefined || (group.length >= 2 && tokens + partTokens > maxTokens)) {
      groups.push([fitted])
      tokens = partTokens
    } else {
      group.push(fitted)
      tokens += partTokens
    }
  }
  return groups
}
