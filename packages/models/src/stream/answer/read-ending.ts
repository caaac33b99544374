import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import { isRecord } from '@longhaul/engine/advanced'
import type { ModelFinish } from '../../port/model-event.ts'

/** How a stream said that it ended. */
export type Ending =
  | { readonly kind: 'finished'; readonly finish: ModelFinish }
  | { readonly kind: 'refused'; readonly words: string }
  /** A last piece that names no reason: the SDK makes one up when a response breaks off. */
  | { readonly kind: 'cut-short' }

export function readEnding(
  { finishReason: { unified, raw }, providerMetadata }: LanguageModelV4StreamPart & { type: 'finish' },
  hasToolCalls: boolean,
): Ending {
  switch (unified) {
    case 'content-filter':
      return { kind: 'refused', words: readRefusal(providerMetadata) ?? raw ?? unified }
    case 'error':
      return { kind: 'cut-short' }
    case 'other':
      if (raw === undefined) return { kind: 'cut-short' }
      return finished(unified, hasToolCalls)
    case 'stop':
    case 'length':
    case 'tool-calls':
      return finished(unified, hasToolCalls)
    default:
      return unified satisfies never
  }
}

/** Calls are there to be run, whatever the endpoint calls its ending; without any there is nothing to run. */
function finished(finish: ModelFinish, hasToolCalls: boolean): Ending {
  if (hasToolCalls) return { kind: 'finished', finish: 'tool-calls' }
  return { kind: 'finished', finish: finish === 'tool-calls' ? 'stop' : finish }
}

/** Anthropic explains a refusal in `stopDetails`, Google in `finishMessage`. */
function readRefusal(metadata: SharedV4ProviderMetadata | undefined): string | undefined {
  for (const { stopDetails, finishMessage } of Object.values(metadata ?? {})) {
    if (typeof finishMessage === 'string') return finishMessage
    if (isRecord(stopDetails) && typeof stopDetails['explanation'] === 'string') return stopDetails['explanation']
  }
  return undefined
}
