import type { PromptContent, PromptItem } from '../compaction/prompt-content.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import type { Estimator } from '../tokens/estimate-message.ts'
import { hashText } from '../tokens/hash.ts'
import type { EntryRef } from '../transcript/entry.ts'
import type { Manifest, ManifestItem } from './manifest.ts'
import { bytesOfText } from './seal/measure-bytes.ts'

export interface AskManifestInput {
  readonly number: number
  readonly at: number
  readonly purpose: 'summary' | 'title'
  readonly model: string
  readonly system: string
  readonly prompt: string
  readonly content: PromptContent
  /** The compaction whose summary is in force. */
  readonly summary: EntryRef | null
  readonly baseId: string | null
  readonly estimator: Estimator
}

/** Explains a call that is no request of the conversation: one question with words of its own about some of its messages. */
export function createAskManifest(input: AskManifestInput): Manifest {
  const { number, at, purpose, model, system, prompt, content, summary, baseId, estimator } = input
  const tokens = estimateField(system, estimator) + estimateField(prompt, estimator)
  return {
    number,
    at,
    purpose,
    model,
    environmentHash: hashText(system),
    baseId,
    items: [
      ...(summary === null || content.earlier === null ? [] : [describeEarlier(summary, content.earlier, estimator)]),
      ...content.items.map(describeItem),
    ],
    tokens: { source: 'estimated', tokens, reportedTokens: 0 },
    numbers: null,
    repairs: [],
    bytes: bytesOfText(system) + bytesOfText(prompt),
    bytesHash: hashText(`${system}\n${prompt}`),
  }
}

function describeEarlier({ id }: EntryRef, text: string, estimator: Estimator): ManifestItem {
  return { key: `summary:${id}`, id, kind: 'summary', state: 'summarised', tokens: estimateField(text, estimator) }
}

function describeItem({ item, state, tokens }: PromptItem): ManifestItem {
  const { id, role } = item.entry
  return { key: `${role}:${id}`, id, kind: role, state, tokens }
}
