import { findOverflow } from '@longhaul/models/overflow'
import type { wrapLanguageModel } from 'ai'

type ModelObject = ReturnType<typeof wrapLanguageModel>
type ModelStream = Awaited<ReturnType<ModelObject['doStream']>>['stream']
type ModelStreamPart = ModelStream extends ReadableStream<infer Part> ? Part : never
export type ModelUsage = Awaited<ReturnType<ModelObject['doGenerate']>>['usage']

/** Parts that come before any content: a refusal may still follow. */
const PRELUDE: readonly ModelStreamPart['type'][] = ['stream-start', 'response-metadata', 'raw']

/**
 * Waits for the first content of a stream, then hands the whole stream on. Rejects where a refusal of the prompt as too
 * long stands in its place.
 */
export async function openStream(stream: ModelStream, onUsage: (usage: ModelUsage) => void): Promise<ModelStream> {
  const reader = stream.getReader()
  const first: ModelStreamPart[] = []
  for (let isOpen = false; !isOpen;) {
    const { done, value } = await reader.read()
    if (done) break
    if (value.type === 'error' && findOverflow(value.error) !== null) {
      await reader.cancel().catch(() => undefined)
      throw value.error
    }
    first.push(value)
    isOpen = !PRELUDE.includes(value.type)
  }
  return ReadableStream.from(readOn(first, reader, onUsage))
}

async function* readOn(
  first: readonly ModelStreamPart[],
  reader: ReadableStreamDefaultReader<ModelStreamPart>,
  onUsage: (usage: ModelUsage) => void,
): AsyncGenerator<ModelStreamPart> {
  try {
    for (let index = 0; ; index += 1) {
      const part = first[index] ?? (await reader.read()).value
      if (part === undefined) return
      if (part.type === 'finish') onUsage(part.usage)
      yield part
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
