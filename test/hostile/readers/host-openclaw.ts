import { createEngine, identify } from '../../../hosts/openclaw/src/create-engine.ts'
import { messageCodec } from '../../../hosts/openclaw/src/message-codec.ts'
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

/** Messages of pi and of OpenClaw are read and written by the same codec. */
export const HOST_OPENCLAW: ReaderTable = {
  'hosts/openclaw/src/create-engine.ts': {
    identify: (text) =>
      [text, `agent:${text}`, `agent:a:subagent:incognito-${text}`].map((sessionKey) =>
        identify({ sessionId: text, sessionKey }, { store: text }),
      ),
    createEngine: (text) => {
      const complete = async () => ({ text })
      return createEngine({ config: { store: text }, llm: { complete }, warn: () => undefined }).info
    },
  },
  'store/src/host/formats/pi-messages.ts': {
    createPiMessageCodec: (text) =>
      messagesOf(text).map((message) => {
        const read = messageCodec.read(message as never)
        const originals = [message as never, null]
        return read === null ? [] : originals.map((original) => messageCodec.write(read, original, { at: 0 }))
      }),
  },
}
