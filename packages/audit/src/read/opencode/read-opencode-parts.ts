import { readParts, textOf } from '@longhaul/engine/advanced'
import type { Part } from '@longhaul/engine/advanced'
import { readString, recordAt } from '@longhaul/store/jsonl'
import type { Fields, MessageFields } from '@longhaul/store/jsonl'

/** null: no words of a user, such as the request for a compaction. */
export function readOpencodeUser(parts: readonly Fields[]): MessageFields | null {
  const read = readParts(parts.flatMap(fromUserPart), 'user')
  return read.length === 0 ? null : { role: 'user', parts: read }
}

/** An answer in its steps: what the model said and asked for, then the results. */
export function readOpencodeAnswer(parts: readonly Fields[]): readonly MessageFields[] {
  const messages: MessageFields[] = []
  let said: Part[] = []
  let results: Part[] = []
  const close = (): void => {
    if (said.length > 0) messages.push({ role: 'assistant', parts: said })
    if (results.length > 0) messages.push({ role: 'tool', parts: results })
    said = []
    results = []
  }
  for (const part of parts) {
    if (part['type'] === 'step-start') close()
    said.push(...readParts(fromAnswerPart(part), 'assistant'))
    if (part['type'] === 'tool') results.push(...readParts(toResult(part), 'tool'))
  }
  close()
  return messages
}

export function readOpencodeText(parts: readonly Fields[]): string {
  return parts.flatMap((part) => (part['type'] === 'text' ? [textOf(part['text'])] : [])).join('\n')
}

function fromUserPart(part: Fields): readonly unknown[] {
  if (part['type'] === 'text') return part['ignored'] === true ? [] : [{ type: 'text', text: part['text'] }]
  if (part['type'] !== 'file') return []
  const name = readString(part['filename']) ?? 'a file'
  // The text of a file that a user names stands in a text part beside it.
  return [{ type: 'text', text: `[${name}]` }]
}

function fromAnswerPart(part: Fields): readonly unknown[] {
  switch (part['type']) {
    case 'text':
    case 'reasoning':
      return part['text'] === '' ? [] : [{ type: part['type'], text: part['text'] }]
    case 'tool':
      return [
        {
          type: 'tool-call',
          toolCallId: part['callID'],
          toolName: part['tool'],
          input: recordAt(part, 'state')['input'],
        },
      ]
    default:
      return []
  }
}

function toResult(part: Fields): readonly unknown[] {
  const state = recordAt(part, 'state')
  const result = { type: 'tool-result', toolCallId: part['callID'], toolName: part['tool'] }
  if (state['status'] === 'completed') return [{ ...result, output: textOf(state['output']) }]
  return state['status'] === 'error' ? [{ ...result, output: textOf(state['error']), isError: true }] : []
}
