import { createMessageCodec, isAdded } from '../../../hosts/opencode/src/message-codec.ts'
import type { Item, ItemPart } from '../../../hosts/opencode/src/opencode-api.ts'
import { joinUnits, splitItems } from '../../../hosts/opencode/src/split-items.ts'
import type { ReaderTable } from './materials.ts'

/** The text wherever opencode may have it, and where it may stand in its place by mistake. */
function itemsOf(text: string): readonly Item[] {
  const file = { type: 'file', mime: text.slice(0, 100), url: text, filename: text }
  const call = { type: 'tool', callID: text.slice(0, 50), tool: text.slice(0, 50) }
  const input = { filePath: text }
  return [
    itemOf('user', [{ type: 'text', text }, { type: 'text', text, synthetic: true }, file, { type: text, text }]),
    itemOf('user', [
      { ...file, mime: 'image/png' },
      { type: 'compaction', auto: text },
    ]),
    itemOf('assistant', [
      { type: 'reasoning', text },
      { ...call, state: { status: 'completed', input, output: text, attachments: [file, text], time: text } },
    ]),
    itemOf('assistant', [
      { ...call, state: { status: 'error', input: text, error: text, metadata: { interrupted: true, output: text } } },
    ]),
    itemOf('assistant', [{ ...call, state: text }]),
  ]
}

function itemOf(role: 'user' | 'assistant', parts: readonly ItemPart[]): Item {
  return { info: { id: 'msg_1', sessionID: 'ses_1', role, time: { created: 1 } }, parts }
}

const codec = createMessageCodec('ses_1')

/** Each message as it would be sent when all of it is written anew. */
function rewrite(text: string): readonly Item[] {
  return joinUnits(
    splitItems(itemsOf(text)).flatMap((unit) => {
      const read = codec.read(unit)
      return read === null ? unit : [codec.write(read, unit, { at: 1 }), codec.write(read, null, { at: 1 })]
    }),
  )
}

export const HOST_OPENCODE: ReaderTable = {
  'hosts/opencode/src/message-codec.ts': {
    createMessageCodec: rewrite,
    isAdded: (text) => rewrite(text).map(isAdded),
  },
  'hosts/opencode/src/split-items.ts': {
    splitItems: (text) => splitItems(itemsOf(text)),
    joinUnits: rewrite,
  },
}
