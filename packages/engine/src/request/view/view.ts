import { measureMessage } from '../../tokens/estimate-message.ts'
import type { Estimator } from '../../tokens/estimate-message.ts'
import { createLink, hashText } from '../../tokens/hash.ts'
import type { ContextPolicy } from '../../policy/policy.ts'
import type { Message } from '../../transcript/message.ts'
import { ACKNOWLEDGEMENT, renderPin, renderPins, renderSummaryMessage } from './place-summary.ts'
import type { Pin, State } from '../fold/state.ts'
import type { ViewItem, ViewKind } from './view-item.ts'
import { messageItem, windowItems } from './window-items.ts'

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
  const messages = [
    ...state.carried.map((item) => messageItem(item, policy.estimator)),
    ...windowItems(state.window, policy.estimator),
  ]
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
  const key = `${kind}:${id}:${place}:${partsHash(message)}`
  return {
    kind,
    id,
    place,
    message,
    state: kind === 'summary' ? 'summarised' : 'verbatim',
    key,
    link: createLink(key),
    ...measureMessage(message, estimator),
    entry: null,
    isEdited: kind === 'summary',
    hasReasoning: false,
    reasoningTokens: 0,
  }
}

const hashes = new WeakMap<Message, string>()

function partsHash(message: Message): string {
  const hash = hashes.get(message) ?? hashText(JSON.stringify(message.parts))
  hashes.set(message, hash)
  return hash
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
