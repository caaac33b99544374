// The engine inside an AI SDK app: `prepareStep: longhaul(model, windowTokens)`. See read-a-book.ts beside it.
import { createMirror } from '@longhaul/engine'
import type { MirrorCodec, Part } from '@longhaul/engine'
import { generateText } from 'ai'
import type { LanguageModel, ModelMessage } from 'ai'

export function longhaul(model: LanguageModel, windowTokens: number) {
  const mirror = createMirror<ModelMessage>({
    windowTokens,
    codec,
    ask: async ({ system, prompt }) => (await generateText({ model, instructions: system, prompt })).text,
  })
  return async ({ messages }: { messages: ModelMessage[] }) => {
    const sent = await mirror.sync(messages)
    const stored = mirror.entries().filter(({ type }) => type === 'message').length
    console.log(`${stored} so far, ${sent.length} sent, ${mirror.lastRequest()?.tokens} tokens`)
    return { messages: [...sent] }
  }
}

/** The parts have the names that the AI SDK gives them; only the output of a tool is wrapped. */
const codec: MirrorCodec<ModelMessage> = {
  read({ role, content }) {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(unwrap)
    return { role, parts: parts as Part[] }
  },
  write: ({ role, parts }) => ({ role, content: parts.map(wrap) }) as ModelMessage,
}
function unwrap(part: object): object {
  if (!('output' in part)) return part
  const { value } = part.output as { value?: unknown }
  return { ...part, output: typeof value === 'string' ? value : JSON.stringify(value ?? '') }
}
function wrap(part: Part): object {
  return part.type === 'tool-result' ? { ...part, output: { type: 'text', value: part.output } } : part
}
