import type { Part } from '@longhaul/protocol'
import type { LivePart, LiveResult, LiveStep } from './conversation.ts'

type Results = Readonly<Record<string, LiveResult>>

/**
 * Adds what came of the model's answer. The step being answered is over once it is stored under its id or one of its
 * calls has a result, and text behind a call begins a step too: after a crash, nothing else tells that a call is over.
 */
export function addPart(steps: readonly LiveStep[], results: Results, part: LivePart): readonly LiveStep[] {
  const step = steps.at(-1)
  const last = step?.parts.at(-1)
  const isNext = part.type !== 'tool-call' && last?.type === 'tool-call'
  if (step === undefined || isNext || !isOpen(step, results)) return [...steps, { id: null, parts: [part] }]
  const isMore = part.type !== 'tool-call' && last?.type === part.type
  const parts = isMore ? [...step.parts.slice(0, -1), { ...last, text: last.text + part.text }] : [...step.parts, part]
  return [...steps.slice(0, -1), { ...step, parts }]
}

/** How many steps the same answer makes once it is stored. */
export function countSteps(parts: readonly Part[]): number {
  return 1 + parts.filter(({ type }, index) => type !== 'tool-call' && parts[index - 1]?.type === 'tool-call').length
}

/** The whole text of the answer is the truth: a model that was asked twice has said other pieces before. */
export function completeStep(
  steps: readonly LiveStep[],
  results: Results,
  { id, text }: { readonly id: string; readonly text: string },
): readonly LiveStep[] {
  const last = steps.at(-1)
  if (last?.id === id) return steps
  if (last === undefined || !isOpen(last, results)) return [...steps, { id, parts: [{ type: 'text', text }] }]
  const texts = last.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const others = last.parts.filter((part) => part.type !== 'text')
  const parts: readonly LivePart[] = texts.join('') === text ? last.parts : [...others, { type: 'text', text }]
  return [...steps.slice(0, -1), { id, parts }]
}

/** The request is sent again: what came of the first attempt will come anew. */
export function dropOpenStep(steps: readonly LiveStep[], results: Results): readonly LiveStep[] {
  const last = steps.at(-1)
  return last !== undefined && isOpen(last, results) ? steps.slice(0, -1) : steps
}

function isOpen({ id, parts }: LiveStep, results: Results): boolean {
  return id === null && !parts.some((part) => part.type === 'tool-call' && results[part.toolCallId] !== undefined)
}
