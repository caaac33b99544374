import { textOf } from '../../../hosts/pi/src/ask-pi.ts'
import type { PiEntry, PiMessage } from '../../../hosts/pi/src/pi-api.ts'
import { piCodec } from '../../../hosts/pi/src/pi-codec.ts'
import { MADE_HERE, readBranch, restoreHistory } from '../../../hosts/pi/src/restore-history.ts'
import type { ReaderTable } from './materials.ts'

function listOf(text: string): readonly PiMessage[] {
  const [content, timestamp] = [[{ type: 'text', text } as const], 1]
  const call = { type: 'toolCall', id: text, name: text, arguments: { path: text } } as const
  return [
    { role: 'compactionSummary', summary: text, timestamp },
    { role: 'user', content: text, timestamp },
    { role: 'assistant', content: [...content, call, { type: 'thinking', thinking: text }], timestamp },
    { role: 'toolResult', toolCallId: text, toolName: text, content, timestamp },
    { role: 'bashExecution', command: text, output: text, timestamp },
  ]
}

function branchOf(text: string): readonly PiEntry[] {
  const lines = listOf(text).map((message, index) => ({ type: 'message', id: `e${index}`, timestamp: text, message }))
  const compaction = { type: 'compaction', summary: text, firstKeptEntryId: 'e1', details: MADE_HERE }
  return [...lines, { ...compaction, id: text, timestamp: text }]
}

/** The extension of pi: its messages are read and written, and its session file is read. */
export const HOST_PI: ReaderTable = {
  'hosts/pi/src/ask-pi.ts': { textOf: (text) => listOf(text).map(textOf) },
  'hosts/pi/src/restore-history.ts': {
    readBranch: (text) =>
      readBranch(branchOf(text)).map(({ message }) => {
        const read = piCodec.read(message)
        return read === null ? null : piCodec.write(read, message, { at: 1 })
      }),
    restoreHistory: (text) => restoreHistory(listOf(text), branchOf(text)),
  },
}
