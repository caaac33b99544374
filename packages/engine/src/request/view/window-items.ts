import { pairTools } from '../../messages/tool-pairs.ts'
import { estimatePart, measureMessage } from '../../tokens/estimate-message.ts'
import type { Estimator } from '../../tokens/estimate-message.ts'
import { createLink, hashText } from '../../tokens/hash.ts'
import { findForm } from '../../transcript/item.ts'
import type { Item } from '../../transcript/item.ts'
import type { Message } from '../../transcript/message.ts'
import type { AppendList } from '../fold/append-list.ts'
import type { ViewItem } from './view-item.ts'

/** What is known about a window's backing list. The list only grows at its end, and this grows with it. */
interface Known {
  /** The place of the first remembered item: remembering from there on keeps the array dense. */
  readonly origin: number
  readonly items: ViewItem[]
  /** Every call from `from` up to `settled` has its result before `end`. Says nothing about other stretches. */
  answered: { readonly from: number; readonly settled: number; readonly end: number }
}

const known: Readonly<Record<Estimator, WeakMap<readonly Item[], Known>>> = {
  plain: new WeakMap(),
  classes: new WeakMap(),
}

/** The window as view items. Costs what is new in it: the rest is remembered with the list it stands in. */
export function windowItems({ backing, start, end }: AppendList<Item>, estimator: Estimator): readonly ViewItem[] {
  const memo = recall(backing, start, estimator)
  for (let place = memo.origin + memo.items.length; place < end; place += 1) {
    const item = backing[place]
    if (item !== undefined) memo.items.push(messageItem(item, estimator))
  }
  return markOpenCalls(memo.items.slice(start - memo.origin, end - memo.origin), start, memo)
}

/** An undo may reach behind what is remembered; then remembering starts anew from there. */
function recall(backing: readonly Item[], start: number, estimator: Estimator): Known {
  const memo = known[estimator].get(backing)
  if (memo !== undefined && memo.origin <= start) return memo
  const fresh: Known = { origin: start, items: [], answered: { from: start, settled: start, end: start } }
  known[estimator].set(backing, fresh)
  return fresh
}

/** For a call without a result the seal sends a note. If the result comes late, what was sent before has changed, and so has the key. */
function markOpenCalls(items: ViewItem[], start: number, memo: Known): readonly ViewItem[] {
  const { from, settled, end } = memo.answered
  const isKnown = start >= from && start <= settled && start + items.length >= end
  const scanned = isKnown ? settled - start : 0
  const open = new Map<number, number>()
  for (const { callMessage, answer } of pairTools(items.slice(scanned).map((item) => item.message))) {
    if (answer === null) open.set(scanned + callMessage, (open.get(scanned + callMessage) ?? 0) + 1)
  }
  const firstOpen = open.keys().next().value ?? items.length
  memo.answered = { from: isKnown ? from : start, settled: start + firstOpen, end: start + items.length }
  for (const [index, count] of open) {
    const item = items[index]
    if (item !== undefined) items[index] = withKey(item, `${item.key}:${count} open`)
  }
  return items
}

const messageItems: Readonly<Record<Estimator, WeakMap<Item, ViewItem>>> = {
  plain: new WeakMap(),
  classes: new WeakMap(),
}

export function messageItem(item: Item, estimator: Estimator): ViewItem {
  const remembered = messageItems[estimator].get(item)
  if (remembered !== undefined) return remembered
  const { entry, message, forms } = item
  const key = forms === null ? entry.id : `${entry.id}${formsKey(forms)}`
  const viewItem: ViewItem = {
    kind: entry.role,
    id: entry.id,
    place: 'message',
    message,
    state: findForm(item),
    key,
    link: createLink(key),
    ...measureMessage(message, estimator),
    entry,
    isEdited: forms !== null,
    hasReasoning: entry.role === 'assistant' && entry.parts.some((part) => part.type === 'reasoning'),
    reasoningTokens: estimateReasoning(message, estimator),
  }
  messageItems[estimator].set(item, viewItem)
  return viewItem
}

function estimateReasoning({ parts }: Message, estimator: Estimator): number {
  return parts.reduce((sum, part) => (part.type === 'reasoning' ? sum + estimatePart(part, estimator) : sum), 0)
}

function withKey(item: ViewItem, key: string): ViewItem {
  return { ...item, key, link: createLink(key) }
}

/** By hash: a placeholder may name a path, and keys stand in manifests, which hold no content. */
function formsKey(forms: NonNullable<Item['forms']>): string {
  return [...forms].map(([part, form]) => `|${part}:${form.form}:${hashText(JSON.stringify(form))}`).join('')
}
