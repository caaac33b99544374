import { pairTools } from '../../messages/tool-pairs.ts'
import { estimateMessage } from '../../tokens/estimate-message.ts'
import type { Estimator } from '../../tokens/estimate-message.ts'
import { hashText } from '../../tokens/hash.ts'
import type { PrefixItem } from '../../tokens/trace-prefix.ts'
import type { ContextPolicy } from '../../policy/policy.ts'
import type { Item } from '../../transcript/item.ts'
import type { Message, Role } from '../../transcript/message.ts'
import { elementsOf } from '../fold/append-list.ts'
import { ACKNOWLEDGEMENT, renderPin, renderPins, renderSummaryMessage } from './place-summary.ts'
import type { Pin, State } from '../fold/state.ts'

export type ViewKind = 'summary' | 'pin' | 'acknowledgement' | Role

/** One item of the next request: what it stands for, in which form, and how many tokens it is thought to take. */
export interface ViewItem extends PrefixItem {
  readonly kind: ViewKind
  /** The entry it comes from. */
  readonly id: string
  /** In the system prompt, as a system message, or among the messages. */
  readonly place: 'system-prompt' | 'system-message' | 'message'
  readonly message: Message
  readonly state: 'verbatim' | 'soft-trimmed' | 'cleared' | 'summarised'
}

/** What the next request is made of, in order. The same state and policy give the same view, after a restart too. */
export interface View {
  readonly items: readonly ViewItem[]
  /** Something before the first item is left out. */
  readonly isEdited: boolean
  /** The entry that says where the context starts; null at the start of the session. */
  readonly baseId: string | null
}

const views = new WeakMap<State, { readonly policy: ContextPolicy; readonly view: View }>()

/** Remembered per state: planning, sealing and the screen ask for the same one. */
export function createView(state: State, policy: ContextPolicy): View {
  const known = views.get(state)
  if (known?.policy === policy) return known.view
  const view = buildView(state, policy)
  views.set(state, { policy, view })
  return view
}

function buildView(state: State, policy: ContextPolicy): View {
  const { placement } = policy.compaction
  const messages = markOpenCalls(
    [...state.carried, ...elementsOf(state.window)].map((item) => messageItem(item, policy.estimator)),
  )
  const background = backgroundItems(state, policy)
  const body = insertPins(
    messages,
    state.head.pins.filter((pin) => pin.seq >= state.head.base.fromSeq),
    policy.estimator,
  )
  const isMerged = placement === 'first-user-message' && background.length > 0
  return {
    items: isMerged ? mergeIntoFirstUser(background, body, policy.estimator) : [...background, ...body],
    isEdited: state.head.base.kind !== 'start',
    baseId: state.head.base.entry?.id ?? null,
  }
}

const messageItems: Readonly<Record<Estimator, WeakMap<Item, ViewItem>>> = {
  plain: new WeakMap(),
  classes: new WeakMap(),
}

function messageItem(item: Item, estimator: Estimator): ViewItem {
  const known = messageItems[estimator].get(item)
  if (known !== undefined) return known
  const { entry, message, forms } = item
  const viewItem: ViewItem = {
    kind: entry.role,
    id: entry.id,
    place: 'message',
    message,
    state: forms === null ? 'verbatim' : strongestForm(forms),
    key: forms === null ? entry.id : `${entry.id}${formsKey(forms)}`,
    tokens: estimateMessage(message, estimator),
    entry,
    isEdited: forms !== null,
    hasReasoning: entry.role === 'assistant' && entry.parts.some((part) => part.type === 'reasoning'),
  }
  messageItems[estimator].set(item, viewItem)
  return viewItem
}

/** For a call without a result the seal sends a note. If the result comes late, what was sent before has changed, and so has the key. */
function markOpenCalls(items: readonly ViewItem[]): readonly ViewItem[] {
  const open = new Map<number, number>()
  for (const { callMessage, answer } of pairTools(items.map((item) => item.message))) {
    if (answer === null) open.set(callMessage, (open.get(callMessage) ?? 0) + 1)
  }
  if (open.size === 0) return items
  return items.map((item, index) => (open.has(index) ? { ...item, key: `${item.key}:${open.get(index)} open` } : item))
}

function strongestForm(forms: NonNullable<Item['forms']>): ViewItem['state'] {
  return [...forms.values()].some((form) => form.form === 'cleared') ? 'cleared' : 'soft-trimmed'
}

/** By hash: a placeholder may name a path, and keys stand in manifests, which hold no content. */
function formsKey(forms: NonNullable<Item['forms']>): string {
  return [...forms].map(([part, form]) => `|${part}:${form.form}:${hashText(JSON.stringify(form))}`).join('')
}

/** The summary and, beside it, the pins whose place in the conversation it covers. */
function backgroundItems(state: State, policy: ContextPolicy): readonly ViewItem[] {
  const { base, pins } = state.head
  const { placement } = policy.compaction
  const { estimator } = policy
  const place = placement === 'system-prompt' || placement === 'system-message' ? placement : 'message'
  const covered = pins.filter((pin) => pin.seq < base.fromSeq)
  const summary = renderSummaryMessage(state.document, base.note, placement)
  // A note changes with each trim, a document only with its compaction.
  const summaryId = (base.note === null ? base.summary?.id : undefined) ?? base.entry?.id ?? 'summary'
  const items: ViewItem[] = []
  if (summary !== null)
    items.push(syntheticItem({ kind: 'summary', id: summaryId, place, message: summary, estimator }))
  if (covered.length > 0) {
    const id = covered.map((pin) => pin.id).join(',')
    items.push(syntheticItem({ kind: 'pin', id, place, message: textMessage('user', renderPins(covered)), estimator }))
  }
  return items
}

interface SyntheticItem {
  readonly kind: ViewKind
  readonly id: string
  readonly place: ViewItem['place']
  readonly message: Message
  readonly estimator: Estimator
}

/** An item that no single stored message stands behind: its words are part of its key, because the same entry may come to say others. */
function syntheticItem({ kind, id, place, message, estimator }: SyntheticItem): ViewItem {
  return {
    kind,
    id,
    place,
    message,
    state: kind === 'summary' ? 'summarised' : 'verbatim',
    key: `${kind}:${id}:${place}:${hashText(JSON.stringify(message.parts))}`,
    tokens: estimateMessage(message, estimator),
    entry: null,
    isEdited: kind === 'summary',
    hasReasoning: false,
  }
}

function textMessage(role: 'user' | 'assistant', text: string): Message {
  return { role, parts: [{ type: 'text', text }] }
}

/** Pins stand where they were made, but never between a tool call and its results. */
function insertPins(messages: readonly ViewItem[], pins: readonly Pin[], estimator: Estimator): readonly ViewItem[] {
  if (pins.length === 0) return messages
  const items: ViewItem[] = []
  let next = 0
  for (const message of messages) {
    while (next < pins.length && message.kind !== 'tool' && (pins[next]?.seq ?? 0) < (message.entry?.seq ?? 0)) {
      items.push(pinItem(pins[next] as Pin, estimator))
      next += 1
    }
    items.push(message)
  }
  return [...items, ...pins.slice(next).map((pin) => pinItem(pin, estimator))]
}

function pinItem(pin: Pin, estimator: Estimator): ViewItem {
  return syntheticItem({
    kind: 'pin',
    id: pin.id,
    place: 'message',
    message: textMessage('user', renderPin(pin)),
    estimator,
  })
}

/** The seal joins neighbouring user messages, so the summary stands in the first one; the acknowledgement keeps roles alternating. */
function mergeIntoFirstUser(
  background: readonly ViewItem[],
  body: readonly ViewItem[],
  estimator: Estimator,
): readonly ViewItem[] {
  const first = body.findIndex((item) => item.kind === 'user')
  if (first !== 0) return [...background, ...body]
  const rest = body.slice(1)
  const needsAcknowledgement = rest[0]?.message.role === 'user'
  const acknowledgement = syntheticItem({
    kind: 'acknowledgement',
    id: 'acknowledgement',
    place: 'message',
    message: textMessage('assistant', ACKNOWLEDGEMENT),
    estimator,
  })
  return [...body.slice(0, 1), ...background, ...(needsAcknowledgement ? [acknowledgement] : []), ...rest]
}
