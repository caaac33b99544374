import type { SummaryMeasure } from '../../summary/check-summary.ts'
import { estimateField } from '../../tokens/estimate-message.ts'
import type { Estimator } from '../../tokens/estimate-message.ts'
import { askInOrder } from './ask-in-order.ts'
import { isGood } from './ask-summary.ts'
import type { SummaryCalls } from './ask-summary.ts'
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

/**
 * Makes one summary of several, oldest first; in rounds, where they are too many for one call. Where no good merge can be
 * had, the summaries stand one after the other: they are longer, but nothing is lost.
 */
export async function mergeParts(parts: readonly SummaryPart[], options: MergeOptions): Promise<string> {
  const { calls, wishes, measure, callTokens } = options
  const [only, ...others] = parts
  if (only !== undefined && others.length === 0) return only.text
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
  const merged = await askInOrder(groups, (group) => mergeGroup(group, groups.length === 1))
  return mergeParts(
    groups.map((group, index) => ({ ...group, text: merged[index] ?? '' })),
    options,
  )

  async function mergeGroup({ texts: group, earlier, items }: Group, isFinal: boolean): Promise<string> {
    if (group.length === 1) return group.join('')
    const readTokens = group.reduce((sum, part) => sum + estimateField(part, measure.estimator), 0)
    const replacedTokens = isFinal ? measure.replacedTokens : null
    const asked = await calls.askPart(
      createMergePrompt({ ...wishes, parts: group }),
      { ...measure, replacedTokens, readTokens },
      { earlier, items: describeSummarised(items) },
    )
    return asked.ok && isGood(asked) ? asked.text : group.join('\n\n')
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
