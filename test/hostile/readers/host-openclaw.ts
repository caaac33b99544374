import { readMessage, writeMessage } from '../../../hosts/openclaw/src/message-codec.ts'
import type { ReaderTable } from './materials.ts'

/** The text wherever OpenClaw may have it, and where it may stand in its place by mistake. */
function messagesOf(text: string): readonly object[] {
  const names = { toolCallId: text, toolName: text }
  const blocks = [
    { type: 'text', text },
    { type: 'image', data: text, mimeType: text },
    { type: text, text },
  ]
  return [
    { role: text, content: text },
    { role: 'user', content: text, timestamp: 1 },
    { role: 'user', content: blocks, timestamp: text },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: text },
        { type: 'toolCall', id: text, name: text, arguments: text },
        { type: 'toolCall', id: text, name: text, arguments: { [text]: text } },
      ],
    },
    { role: 'toolResult', ...names, content: blocks },
    { role: 'toolResult', content: text },
    { role: 'compactionSummary', summary: text },
    { role: 'bashExecution', command: text, output: text },
  ]
}

export const HOST_OPENCLAW: ReaderTable = {
  'hosts/openclaw/src/message-codec.ts': {
    readMessage: (text) => messagesOf(text).map((message) => readMessage(message as never)),
    writeMessage: (text) =>
      messagesOf(text).flatMap((message) => {
        const read = readMessage(message as never)
        const originals = [message as never, null]
        return read === null ? [] : originals.map((original) => writeMessage(read, original, { at: 0 }))
      }),
  },
}
