import { longhaulProcessor } from '../../../hosts/mastra/src/longhaul-processor.ts'
import { promptCodec } from '../../../hosts/mastra/src/prompt-codec.ts'
import type { PromptMessage } from '../../../hosts/mastra/src/prompt-codec.ts'
import type { ReaderTable } from './materials.ts'

/** The text wherever a prompt may have it, and where it may stand in its place by mistake. */
function promptOf(text: string): readonly object[] {
  const names = { toolCallId: text.slice(0, 50), toolName: text.slice(0, 50) }
  const file = { type: 'file', mediaType: text.slice(0, 100), data: text }
  const outputs = [text, { type: 'json', value: { text } }, { type: 'content', value: [file, text] }, { type: text }]
  return [
    { role: 'system', content: text },
    { role: 'user', content: [{ type: 'text', text }, file, { type: text, data: text }, text] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text },
        { type: 'tool-call', ...names, input: text },
      ],
    },
    ...outputs.map((output) => ({ role: 'tool', content: [{ type: 'tool-result', ...names, output }] })),
  ]
}

/** The processor of Mastra: prompts are read and written. */
export const HOST_MASTRA: ReaderTable = {
  'hosts/mastra/src/longhaul-processor.ts': {
    longhaulProcessor: (text) => [
      longhaulProcessor().id,
      ...promptOf(text).map((message) => {
        const read = promptCodec.read(message as PromptMessage)
        return read === null ? null : promptCodec.write(read, message as PromptMessage, { at: 0 })
      }),
    ],
  },
}
