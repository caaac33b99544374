import { estimateField, measureMessage } from '../../tokens/estimate-message.ts'
import { scaleEstimate } from '../../tokens/meter.ts'
import type { Reading } from '../../tokens/meter.ts'
import { createDraft, dropReasoning } from './draft.ts'
import type { Draft } from './draft.ts'
import { measureEnvironment, renderSystem } from '../view/environment.ts'
import { bytesOf, bytesOfText, measureRequest } from './measure-bytes.ts'
import { estimateView, measureView } from '../view/measure-view.ts'
import type { MeasureContext } from '../view/measure-view.ts'
import { joinSystem } from '../view/place-summary.ts'
import { fitDrafts } from './seal-fit.ts'
import { NO_RESULT, sealPairs } from './seal-pairs.ts'
import { isContinuation, sealRoles } from './seal-roles.ts'
import { sealParts } from './seal-text.ts'
import { isLossy } from './sealed-request.ts'
import type { Repair, SealedMessage, SealedRequest } from './sealed-request.ts'
import type { View } from '../view/view.ts'

export interface SealInput {
  readonly view: View
  readonly context: MeasureContext
  /** The most the request may hold; null: the provider decides whether it fits. */
  readonly maxTokens: number | null
  readonly maxBytes: number | null
}

/** In place of a chain: no later prefix may match it. */
export const NOT_TO_BE_REPEATED = 'not-to-be-repeated'
/** Room for what repairing the roles may add; whether the request fits is counted on what is sent. */
const ROLE_BYTES = 400

/** Turns a view into a request that is valid to send, whatever the view holds. Deterministic: the same view gives the same bytes. */
export function sealRequest({ view, context, maxTokens, maxBytes }: SealInput): SealedRequest {
  const repairs: Repair[] = []
  const { reading, trace } = measureView(view, context)
  const drafts = view.items.map((item, index) => createDraft(item, trace.dropsReasoning[index] === true))
  noteReasoning(trace.dropsReasoning, repairs)

  const paired = sealPairs(drafts, repairs).map(sealDraft)
  const fitted = fitTokens(paired, { view, context, maxTokens, reading, repairs })
  const light = maxBytes === null ? fitted.drafts : fitBytes(fitted.drafts, { context, maxBytes, repairs })

  const isCut = repairs.some(isLossy)
  const { system, messages } = assemble(isCut ? withoutReasoning(light, repairs) : light, context, repairs)
  const tools = context.environment?.tools ?? []
  const { bytes, bytesHash } = measureRequest(system, messages, tools)
  return {
    system,
    messages,
    tools,
    tokens: fitted.tokens,
    environmentHash:
      context.environment === null ? '' : measureEnvironment(context.environment, context.estimator).hash,
    bytes,
    bytesHash,
    anchor: {
      model: context.model ?? '',
      itemCount: view.items.length,
      // What was cut down, or added at the end, is sent in another form next time.
      chainHash: isCut || repairs.some(isContinuation) ? NOT_TO_BE_REPEATED : trace.chainHash,
    },
    repairs,
    fits: fitted.fits && (maxBytes === null || bytes <= maxBytes),
  }
}

function assemble(
  drafts: readonly Draft[],
  context: MeasureContext,
  repairs: Repair[],
): Pick<SealedRequest, 'system' | 'messages'> {
  const at = (place: Draft['place']): readonly Draft[] => drafts.filter((draft) => draft.place === place)
  const prefixes = at('system-prompt').flatMap(({ kind, parts }) =>
    parts.flatMap((part) => (part.type === 'text' ? [{ kind, text: part.text }] : [])),
  )
  const systemMessages = at('system-message').map(({ parts }): SealedMessage => ({ role: 'system', parts }))
  const messages = sealRoles(at('message'), repairs).map(({ role, parts }): SealedMessage => ({ role, parts }))
  return {
    system: joinSystem(prefixes, systemText(context)),
    messages: [...systemMessages, ...messages],
  }
}

interface FitTokensInput {
  readonly view: View
  readonly context: MeasureContext
  readonly maxTokens: number | null
  readonly reading: Reading
  readonly repairs: Repair[]
}

interface FittedTokens {
  readonly drafts: readonly Draft[]
  readonly tokens: Reading
  readonly fits: boolean
}

/** Where a bill says more than the estimates do, every estimate is scaled up to it, so that taking away is never too timid. */
function fitTokens(
  drafts: readonly Draft[],
  { view, context, maxTokens, reading, repairs }: FitTokensInput,
): FittedTokens {
  const { estimator, calibration, environment } = context
  const added = repairs.filter(({ kind }) => kind === 'result-added').length * estimateField(NO_RESULT, estimator)
  const estimate = Math.max(1, estimateView(view, context))
  const tokens = (reading.tokens ?? estimate) + added
  if (maxTokens === null || tokens <= maxTokens) return { drafts, tokens: reading, fits: true }
  const scale = Math.max(1, (reading.tokens ?? estimate) / estimate)
  const around = environment === null ? 0 : measureEnvironment(environment, estimator).tokens
  const fitted = fitDrafts(
    drafts,
    {
      unit: 'tokens',
      limit: maxTokens,
      fixed: (around * calibration.ratio + calibration.overheadTokens) * scale,
      sizeOf: (message) => scale * scaleEstimate(measureMessage(message, estimator), calibration),
    },
    repairs,
  )
  const total = Math.ceil(fitted.total)
  return {
    drafts: fitted.drafts,
    tokens: { source: 'estimated', tokens: total, reportedTokens: 0 },
    fits: total <= maxTokens,
  }
}

function fitBytes(
  drafts: readonly Draft[],
  { context, maxBytes, repairs }: { context: MeasureContext; maxBytes: number; repairs: Repair[] },
): readonly Draft[] {
  return fitDrafts(
    drafts,
    {
      unit: 'bytes',
      limit: maxBytes,
      fixed: bytesOfText(systemText(context) ?? '') + bytesOf(context.environment?.tools ?? []) + ROLE_BYTES,
      sizeOf: ({ parts }) => bytesOf(parts),
    },
    repairs,
  ).drafts
}

function systemText({ environment }: MeasureContext): string | null {
  return environment === null ? null : renderSystem(environment)
}

function sealDraft(draft: Draft): Draft {
  const parts = sealParts(draft.parts)
  return parts === draft.parts ? draft : { ...draft, parts }
}

/** What was cut away stood before it: reasoning that was made for that prefix is refused without it. */
function withoutReasoning(drafts: readonly Draft[], repairs: Repair[]): readonly Draft[] {
  const hasReasoning = drafts.map(({ parts }) => parts.some((part) => part.type === 'reasoning'))
  noteReasoning(hasReasoning, repairs)
  return drafts.map((draft, index) =>
    hasReasoning[index] === true ? { ...draft, parts: dropReasoning(draft.parts) } : draft,
  )
}

function noteReasoning(dropsReasoning: readonly boolean[], repairs: Repair[]): void {
  const dropped = dropsReasoning.filter(Boolean).length
  if (dropped > 0) repairs.push({ kind: 'reasoning-dropped', detail: `${dropped} messages` })
}
