import { messageCodec } from '../../../hosts/langchain/src/message-codec.ts'
import { readUsage } from '../../../hosts/langchain/src/read-usage.ts'
import {
  isAddress,
  readBlock,
  readContent,
  readReasoning,
  toAddress,
} from '../../../packages/store/src/host/formats/read-block.ts'
import type { ReaderTable } from './materials.ts'

/** The text wherever a model of LangChain may put it. */
function blocksOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  return [
    { type: 'text', text },
    { type: text, text },
    { type: 'thinking', thinking: text },
    { type: 'image_url', image_url: { url: text } },
    { type: 'file', source_type: 'base64', mime_type: text.slice(0, 100), data: text },
    { type: 'tool_use', id: text.slice(0, 50), input: { text } },
  ]
}

/** Messages whose text, blocks, calls and results hold it. */
function messagesOf(text: string) {
  const id = text.slice(0, 50)
  const call = { type: 'tool-call', toolCallId: id, toolName: text, input: { text } } as const
  const result = { type: 'tool-result', toolCallId: id, toolName: text, output: text } as const
  const written = [
    messageCodec.write({ role: 'user', parts: [{ type: 'text', text }] }, null, { at: 0 }),
    messageCodec.write({ role: 'assistant', parts: [call] }, null, { at: 0 }),
    messageCodec.write({ role: 'tool', parts: [result] }, null, { at: 0 }),
  ]
  for (const message of written.slice(1)) Object.assign(message, { content: blocksOf(text) })
  return written
}

/** The codec reads and writes each message with the blocks of this text. */
function translate(text: string): unknown {
  return messagesOf(text).map((message) => {
    const read = messageCodec.read(message)
    return read === null ? null : messageCodec.write(read, message, { at: 0 })
  })
}

export const HOST_LANGCHAIN: ReaderTable = {
  'store/src/host/formats/read-block.ts': {
    readBlock: (text) => [blocksOf(text).map(readBlock), translate(text)],
    readContent: (text) => blocksOf(text).map(readContent),
    readReasoning: (text) => readReasoning({ type: 'reasoning', summary: [{ text }], data: text }),
    toAddress: (text) => toAddress(text, text),
    isAddress: (text) => isAddress(text),
  },
  'hosts/langchain/src/read-usage.ts': {
    readUsage: (text) =>
      readUsage({ usage_metadata: { input_tokens: text as never, output_tokens: 1, total_tokens: 1 } }),
  },
}
