import { isWritten, messageCodec } from '../../../hosts/ai-sdk/src/message-codec.ts'
import type { ReaderTable } from './materials.ts'

/** The text wherever an app of the AI SDK may have it, and where it may stand in its place by mistake. */
function messagesOf(text: string): readonly object[] {
  const names = { toolCallId: text.slice(0, 50), toolName: text.slice(0, 50) }
  const file = { type: 'file', mediaType: text.slice(0, 100), data: text }
  return [
    { role: 'user', content: text },
    {
      role: 'user',
      content: [{ type: 'text', text }, file, { type: 'image', image: text }, { type: text, data: text }],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text },
        { type: 'tool-call', ...names, input: text },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', ...names, output: { type: 'json', value: { text } } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...names, output: { type: 'content', value: [file, text] } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...names, output: text }] },
  ]
}

export const HOST_AI_SDK: ReaderTable = {
  'hosts/ai-sdk/src/message-codec.ts': {
    isWritten: (text) =>
      messagesOf(text).map((message) => {
        const read = messageCodec.read(message as never)
        return read === null ? false : isWritten(messageCodec.write(read, message as never, { at: 0 }))
      }),
  },
}
