import type { SummaryMeasure } from '../../summary/check-summary.ts'
import { estimateField } from '../../tokens/estimate-message.ts'
import type { Estimator } from '../../tokens/estimate-message.ts'
import { askInOrder } from './ask-in-order.ts'
import type { AskedSummary, SummaryCalls } from './ask-summary.ts'
import { describeSummarised } from '../prompt-content.ts'
import type { PromptWishes } from '../prompts/closing-lines.ts'
import { createMergePrompt } from '../prompts/merge-v1.ts'
import type { Item } from '../../transcript/item.ts'
import { fitTokens } from '../summariser-input.ts'

export interface MergeOptions {
  readonly calls: SummaryCalls
  readonly wishes: PromptWishes
  readonly measure: Omit<SummaryMeasure, 'readTokens'>
  readonly callTokens: number
}

/** A summary, and what it tells of. */
export interface SummaryPart {
  readonly text: string
  /** The summary of what lies before the span, if it is in this one. */
  readonly earlier: string | null
  readonly items: readonly Item[]
}

/** Makes one summary of several, oldest first; in rounds, where they are too many for one call. */
export async function mergeParts(parts: readonly SummaryPart[], options: MergeOptions): Promise<AskedSummary> {
  const { calls, wishes, measure, callTokens } = options
  const room = callTokens - estimateField(wishes.wish ?? '', measure.estimator)
  const texts = groupParts(
    parts.map(({ text }) => text),
    room,
    measure.estimator,
  )
  const groups = texts.map((group, index) => {
    const start = texts.slice(0, index).flat().length
    return joinGroup(group, parts.slice(start, start + group.length))
  })
  const isLast = groups.length === 1
  const merged = await askInOrder(groups, (group) => mergeGroup(group, isLast))
  if (!merged.ok) return merged
  if (isLast) return { ok: true, text: merged.texts[0] ?? '' }
  return mergeParts(
    groups.map((group, index) => ({ ...group, text: merged.texts[index] ?? '' })),
    options,
  )

  async function mergeGroup({ texts: group, earlier, items }: Group, isFinal: boolean): Promise<AskedSummary> {
    const [only, ...others] = group
    if (only !== undefined && others.length === 0 && !isFinal) return { ok: true, text: only }
    const readTokens = group.reduce((sum, part) => sum + estimateField(part, measure.estimator), 0)
    const replacedTokens = isFinal ? measure.replacedTokens : null
    return calls.ask(
      createMergePrompt({ ...wishes, parts: group }),
      { ...measure, replacedTokens, readTokens },
      { earlier, items: describeSummarised(items) },
    )
  }
}

interface Group extends Omit<SummaryPart, 'text'> {
  readonly texts: readonly string[]
}

/** The earlier summary is the oldest part, so it can only come first. */
function joinGroup(texts: readonly string[], parts: readonly SummaryPart[]): Group {
  return { texts, earlier: parts[0]?.earlier ?? null, items: parts.flatMap(({ items }) => items) }
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
