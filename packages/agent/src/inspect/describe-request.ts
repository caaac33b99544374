import { createView, measureEnvironment, renderDocument, renderParts, sealRequest } from '@longhaul/engine/advanced'
import type {
  AsidePurpose,
  JsonObject,
  Manifest,
  Reading,
  Repair,
  SealedRequest,
  View,
} from '@longhaul/engine/advanced'
import type { Store } from '@longhaul/store/port'
import type { SessionView } from '../session/session-view.ts'
import { describeEnvironment, describeMessage, kindOf } from './context-item.ts'
import type { ContextItem } from './context-item.ts'
import { rebuildState } from './rebuild-state.ts'

export interface RequestItem extends ContextItem {
  /** As the model saw it; null: it cannot be read any more. */
  readonly text: string | null
}

/** A request of the past, opened again. */
export interface RequestDescription {
  readonly number: number
  readonly at: number
  /** null: it asked for the next answer of the conversation. */
  readonly purpose: AsidePurpose | null
  readonly model: string
  /** Shown byte for byte as it was sent. */
  readonly exact: boolean
  /** Why not, or why nobody can be sure; null where it is exact. */
  readonly reason: string | null
  /** System prompt, files and tools; none where they have changed since: only their hash is kept. */
  readonly environment: readonly RequestItem[]
  readonly items: readonly RequestItem[]
  readonly tokens: Reading
  readonly bytes: number
  readonly repairs: readonly Repair[]
  readonly outcome: JsonObject | null
}

/** What the model saw, made anew from the transcript by the manifest; null: that request is not known (any more). */
export async function describeRequest(
  store: Pick<Store, 'entries' | 'requests'>,
  session: SessionView,
  number: number,
): Promise<RequestDescription | null> {
  const settled = await store.requests.get(session.id, number)
  if (settled === null) return null
  const { manifest, outcome } = settled
  const { purpose = null, number: _number, at, model, tokens, bytes, repairs } = manifest
  const facts = { number, at, purpose, model, tokens, bytes, repairs, outcome }
  if (purpose === 'summary' || purpose === 'title')
    return { ...facts, ...(await describeAsk(store, session, manifest)) }
  const { policy, environment } = session.context
  const { estimator } = policy
  const state = await rebuildState(store, session, manifest)
  const view = state === null ? null : createView(state, policy)
  const isSameEnvironment = measureEnvironment(environment, estimator).hash === manifest.environmentHash
  const sealed = view === null || !isSameEnvironment ? null : reseal(session, view, manifest)
  const exact = sealed !== null && sealed.bytesHash === manifest.bytesHash
  return {
    ...facts,
    exact,
    reason: exact ? null : findReason(manifest, { view, session, isSameEnvironment }),
    environment: isSameEnvironment ? describeEnvironment(environment, estimator) : [],
    items: listItems(session, manifest, { view, sealed: exact ? sealed : null }),
  }
}

const OWN_WORDS =
  'It was asked in words of its own beside the conversation; what it was about is shown, those words are not kept.'

/** Its words were made for the moment; the messages it was about are read from the transcript. */
async function describeAsk(
  store: Pick<Store, 'entries'>,
  { id: sessionId, context }: SessionView,
  { items }: Manifest,
): Promise<Pick<RequestDescription, 'exact' | 'reason' | 'environment' | 'items'>> {
  const shown = await Promise.all(
    items.map(async ({ id, kind, state, tokens }): Promise<readonly RequestItem[]> => {
      const entry = await store.entries.find(sessionId, id)
      if (entry?.type === 'message')
        return describeMessage({ id, kind, state, tokens, message: entry }, context.policy.estimator)
      const lost = describeLost({ kind, id, tokens, state })
      if (entry?.type !== 'compaction') return [lost]
      const text = renderDocument(entry.document)
      return [{ ...lost, label: 'the summary before it', chars: text.length, text }]
    }),
  )
  return { exact: false, reason: OWN_WORDS, environment: [], items: shown.flat() }
}

/** As it was sealed then; what had to be cut is cut again where the limit is still the same. */
function reseal({ context }: SessionView, view: View, { model, repairs }: Manifest): SealedRequest {
  const { environment, calibration, policy, limits } = context
  return sealRequest({
    view,
    context: { environment, model, calibration, estimator: policy.estimator },
    maxTokens: wasCut(repairs) ? (limits?.inputTokens ?? null) : null,
    maxBytes: null,
  })
}

function wasCut(repairs: readonly Repair[]): boolean {
  return repairs.some(({ kind }) => kind.endsWith('left-out') || kind === 'text-cut')
}

/** An item that cannot be read any more, or would be shown otherwise now. */
function describeLost({ kind, id, tokens, state }: Omit<Manifest['items'][number], 'key'>): RequestItem {
  const label =
    kind === 'recalled'
      ? 'lines of earlier messages that were found for this request; their words are not kept'
      : 'cannot be read any more, or would be shown otherwise now'
  return { id: `${kind}:${id}`, entryId: id, kind: kindOf(kind), label, tokens, chars: 0, state, text: null }
}

interface Rebuilt {
  readonly view: View | null
  /** Only where it is what was sent. */
  readonly sealed: SealedRequest | null
}

function listItems(session: SessionView, manifest: Manifest, { view, sealed }: Rebuilt): readonly RequestItem[] {
  const { estimator } = session.context.policy
  const byKey = new Map(view?.items.map((item) => [item.key, item]))
  const sent = sealed === null ? null : readSealed(sealed)
  return manifest.items.flatMap(({ key, id, kind, state, tokens }): readonly RequestItem[] => {
    const item = byKey.get(key)
    if (item === undefined) return [describeLost({ kind, id, tokens, state })]
    if (sent === null) return describeMessage(item, estimator)
    const parts = item.message.parts.filter((part) => part.type !== 'reasoning' || sent.reasoning.has(part.text))
    const shown = describeMessage({ ...item, message: { ...item.message, parts } }, estimator)
    const isLeftOut = wasCut(manifest.repairs) && !sent.texts.some((text) => text.includes(renderParts(parts)))
    return isLeftOut ? shown.map((each) => ({ ...each, state: 'left-out' })) : shown
  })
}

function readSealed({ system, messages }: SealedRequest): {
  readonly texts: readonly string[]
  readonly reasoning: ReadonlySet<string>
} {
  const reasoning = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'reasoning' ? part.text : [])),
  )
  return {
    texts: [system ?? '', ...messages.map(({ parts }) => renderParts(parts))],
    reasoning: new Set(reasoning),
  }
}

interface Doubts {
  readonly view: View | null
  readonly session: Pick<SessionView, 'origin' | 'context'>
  readonly isSameEnvironment: boolean
}

function findReason(manifest: Manifest, { view, session, isSameEnvironment }: Doubts): string {
  const { origin, context } = session
  const hasOwnTexts = context.environment.measured !== undefined
  const keys = new Set(view?.items.map(({ key }) => key))
  const lost = manifest.items.filter(({ key, kind }) => kind !== 'recalled' && !keys.has(key)).length
  const reasons = [
    ...(manifest.purpose === 'flush' ? ['Words that ask to save memory followed; they are not kept.'] : []),
    ...(manifest.items.some(({ kind }) => kind === 'recalled')
      ? ['Lines of earlier messages were brought back for it; their words are not kept.']
      : []),
    ...(hasOwnTexts
      ? [`System prompt and tools are kept by ${origin ?? 'another program'}; their texts are not stored.`]
      : []),
    ...(isSameEnvironment || hasOwnTexts
      ? []
      : ['System prompt, injected files or tools have changed since; only their hash was kept.']),
    ...(lost === 0
      ? []
      : [`${lost} items cannot be read any more, or would be shown otherwise by the settings of now.`]),
    ...(manifest.repairs.length === 0 ? [] : ['It was changed before it was sent; see repairs.']),
  ]
  return reasons.length === 0 ? 'The settings of now would send it in another form.' : reasons.join(' ')
}
