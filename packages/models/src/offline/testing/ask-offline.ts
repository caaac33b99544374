import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { createOfflineModel } from '../create-offline-model.ts'

export interface Heard {
  readonly text: string
  readonly calls: readonly { readonly toolName: string; readonly input: unknown }[]
  readonly parts: readonly LanguageModelV4StreamPart[]
}

/** One call, as whoever reads the stream hears it. */
export async function askOffline(
  call: LanguageModelV4CallOptions,
  model: LanguageModelV4 = createOfflineModel(),
): Promise<Heard> {
  const { stream } = await model.doStream(call)
  const parts = await Array.fromAsync(stream)
  return {
    parts,
    text: parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [{ toolName: part.toolName, input: JSON.parse(part.input) as unknown }] : [],
    ),
  }
}

/** What is wrong with a stream; nothing where it is one that any reader understands. */
export function findFaults(parts: readonly LanguageModelV4StreamPart[]): readonly string[] {
  const faults: string[] = []
  const open = new Set<string>()
  if (parts[0]?.type !== 'stream-start') faults.push('does not begin with stream-start')
  if (parts.at(-1)?.type !== 'finish') faults.push('does not end with finish')
  if (parts.filter(({ type }) => type === 'finish').length > 1) faults.push('finishes more than once')
  for (const part of parts) {
    if (part.type === 'text-start' || part.type === 'tool-input-start') open.add(part.id)
    if (part.type === 'text-delta' || part.type === 'tool-input-delta') {
      if (!open.has(part.id)) faults.push(`${part.type} outside its block`)
      if (part.delta === '') faults.push(`${part.type} without text`)
    }
    const isEnd = part.type === 'text-end' || part.type === 'tool-input-end'
    if (isEnd && !open.delete(part.id)) faults.push(`${part.type} without a start`)
  }
  if (open.size > 0) faults.push('blocks stay open')
  const said = parts.some(({ type }) => type === 'text-delta' || type === 'tool-call')
  const finish = parts.find((part) => part.type === 'finish')
  if (!said && finish?.finishReason.unified !== 'length') faults.push('says nothing')
  return faults
}
