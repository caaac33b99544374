import type { EmbeddingModelV4, EmbeddingModelV4CallOptions } from '@ai-sdk/provider'

export interface ScriptedEmbeddingOptions {
  readonly provider?: string
  readonly modelId?: string
  /** Words of one group mean the same to it. */
  readonly synonyms?: readonly (readonly string[])[]
  /** How many texts one call may hold. Default: any number. */
  readonly maxTexts?: number
  /** Waited for before a call is answered; what it rejects with is what the call fails with. */
  readonly before?: (call: EmbeddingModelV4CallOptions) => Promise<void>
}

export interface ScriptedEmbedding extends EmbeddingModelV4 {
  /** Every call it got, in order. */
  readonly calls: readonly EmbeddingModelV4CallOptions[]
}

/** An embedding model that knows which words it is told mean the same, and nothing else: for tests and demos. */
export function createScriptedEmbedding(options: ScriptedEmbeddingOptions = {}): ScriptedEmbedding {
  const { provider = 'scripted', modelId = 'scripted', synonyms = [], maxTexts, before } = options
  const calls: EmbeddingModelV4CallOptions[] = []
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    maxEmbeddingsPerCall: maxTexts,
    supportsParallelCalls: true,
    calls,
    async doEmbed(call) {
      calls.push(call)
      call.abortSignal?.throwIfAborted()
      await before?.(call)
      return { embeddings: call.values.map((text) => countMeanings(text, synonyms)), warnings: [] }
    },
  }
}

const DIMENSIONS = 256

/** How often each meaning occurs in a text. Those of a group have places of their own, all other words share the rest. */
export function countMeanings(text: string, synonyms: readonly (readonly string[])[]): number[] {
  const counts = Array.from({ length: DIMENSIONS }, () => 0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const group = synonyms.findIndex((words) => words.includes(word))
    const place = group < 0 ? synonyms.length + (hashOf(word) % (DIMENSIONS - synonyms.length)) : group
    counts[place] = (counts[place] ?? 0) + 1
  }
  return counts
}

function hashOf(word: string): number {
  let hash = 0
  for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return hash
}
