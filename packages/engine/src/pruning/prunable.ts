import { outputText } from '../messages/render-text.ts'
import type { ToolPair } from '../messages/tool-pairs.ts'
import { findFirstUserMessage, findLastAssistantTurns } from '../messages/turns.ts'
import type { PruneForm } from '../transcript/entry.ts'
import type { Item } from '../transcript/item.ts'
import type { Part, ToolCallPart, ToolResultPart } from '../transcript/message.ts'
import { isTextOnly } from './apply-form.ts'
import { isToolSelected } from './glob.ts'
import type { PruningContext } from './prune-plan.ts'

/** A tool part that pruning may still make shorter. */
export interface Prunable<P extends Part = ToolResultPart | ToolCallPart> {
  readonly item: Item
  readonly messageIndex: number
  readonly partIndex: number
  readonly place: string
  readonly stored: P
  /** The part as the next request would send it. */
  readonly shown: P
  readonly form: PruneForm | null
}

/** Results of selected tools in the prunable span, oldest first; never one with an image or a file. */
export function findPrunableResults(context: PruningContext): readonly Prunable<ToolResultPart>[] {
  return collect(context, selectResult)
}

/**
 * Calls of selected tools in the prunable span, oldest first. Their results are stored: an open call is still work to be
 * done. One with provider data is left alone: it is signed, or the provider sends its own copy.
 */
export function findPrunableCalls(
  context: PruningContext,
  pairs: readonly ToolPair[],
): readonly Prunable<ToolCallPart>[] {
  const answered = new Set(pairs.filter((pair) => pair.answer !== null).map((pair) => pair.call))
  return collect(context, (part) =>
    part.type === 'tool-call' && part.providerOptions === undefined && answered.has(part) ? part : null,
  )
}

/** Names a part by its place: the same object may stand in two messages. */
export function placeOf(messageIndex: number, partIndex: number): string {
  return `${messageIndex}:${partIndex}`
}

const sizes = new WeakMap<ToolResultPart | ToolCallPart, number>()

/** Size of what is sent, in characters. Remembered per part. */
export function charsOf(part: ToolResultPart | ToolCallPart): number {
  const known = sizes.get(part)
  if (known !== undefined) return known
  const chars = part.type === 'tool-result' ? outputText(part.output).length : JSON.stringify(part.input).length
  sizes.set(part, chars)
  return chars
}

/** Nothing shorter comes after it: the store takes a new decision only if it keeps fewer characters. */
export function isFinalForm(form: PruneForm | null): boolean {
  if (form === null) return false
  return form.form === 'cleared' || form.headChars + form.tailChars === 0
}

/** Results from a message on, whatever the policy protects: for what is too large to be sent at all. */
export function findResultsFrom(items: readonly Item[], from: number): readonly Prunable<ToolResultPart>[] {
  return collectSpan(items, { from, to: items.length }, selectResult)
}

function selectResult(part: Part): ToolResultPart | null {
  return part.type === 'tool-result' && isTextOnly(part.output) ? part : null
}

function collect<P extends ToolResultPart | ToolCallPart>(
  context: PruningContext,
  select: (part: Part) => P | null,
): Prunable<P>[] {
  const found = collectSpan(context.items, findPrunableSpan(context), select)
  return found.filter(({ stored }) => isToolSelected(stored.toolName, context.policy.tools))
}

function collectSpan<P extends ToolResultPart | ToolCallPart>(
  items: readonly Item[],
  { from, to }: { readonly from: number; readonly to: number },
  select: (part: Part) => P | null,
): Prunable<P>[] {
  const found: Prunable<P>[] = []
  for (let messageIndex = from; messageIndex < to; messageIndex += 1) {
    const item = items[messageIndex]
    item?.entry.parts.forEach((part, partIndex) => {
      const stored = select(part)
      const form = item.forms?.get(partIndex) ?? null
      if (stored === null || isFinalForm(form)) return
      const shown = (item.message.parts[partIndex] as P | undefined) ?? stored
      found.push({ item, messageIndex, partIndex, place: placeOf(messageIndex, partIndex), stored, shown, form })
    })
  }
  return found
}

/**
 * From the session's first user message (what lies before it set the stage; later in a session nothing does) to where the last assistant turns begin. One turn is
 * protected even if the policy says none: the model has not seen the results after its last message yet.
 */
function findPrunableSpan({ items, policy, isFromStart = true }: PruningContext): { from: number; to: number } {
  const messages = items.map((item) => item.entry)
  const from = isFromStart ? findFirstUserMessage(messages) : 0
  if (from === -1) return { from: 0, to: 0 }
  return { from, to: findLastAssistantTurns(messages, Math.max(1, policy.keepLastAssistants)) }
}
