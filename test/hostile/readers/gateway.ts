import {
  copyText,
  decodeJson,
  decodeText,
  encodeJson,
  encodeText,
  fromByteText,
} from '../../../packages/gateway/src/json/bytes.ts'
import {
  endOfValue,
  findElements,
  findMembers,
  skipSpace,
  walkElements,
  walkOn,
} from '../../../packages/gateway/src/json/scan-json.ts'
import { replaceSpans, spliceChanges } from '../../../packages/gateway/src/json/splice-changes.ts'
import { createPiece } from '../../../packages/gateway/src/list/piece.ts'
import { readList } from '../../../packages/gateway/src/list/read-list.ts'
import { spliceList } from '../../../packages/gateway/src/list/splice-list.ts'
import { readRoute } from '../../../packages/gateway/src/read-route.ts'
import { findCallKind, goesOnFromSummary } from '../../../packages/gateway/src/recognize/find-call-kind.ts'
import { credentialOf, fingerprintOf, keyedHash } from '../../../packages/gateway/src/recognize/keyed-hash.ts'
import { readSignals } from '../../../packages/gateway/src/recognize/read-signals.ts'
import { readStoredChain } from '../../../packages/gateway/src/recognize/read-stored-chain.ts'
import { createUsageReader } from '../../../packages/gateway/src/upstream/create-usage-reader.ts'
import { readStreamedAnswer } from '../../../packages/gateway/src/upstream/read-streamed-answer.ts'
import { anthropicWire } from '../../../packages/gateway/src/wires/anthropic/anthropic-wire.ts'
import { editBlocks } from '../../../packages/gateway/src/wires/anthropic/edit-blocks.ts'
import { isNote, readBlocks } from '../../../packages/gateway/src/wires/anthropic/read-blocks.ts'
import { editArguments } from '../../../packages/gateway/src/wires/edit-arguments.ts'
import { editOutput, isSameOutput } from '../../../packages/gateway/src/wires/edit-output.ts'
import { readMessage } from '../../../packages/gateway/src/wires/openai-chat/read-message.ts'
import { readItem } from '../../../packages/gateway/src/wires/openai-responses/read-item.ts'
import {
  fieldsOf,
  readArguments,
  readDataUrl,
  readTexts,
  readUnknown,
  stringOf,
} from '../../../packages/gateway/src/wires/read-content.ts'
import { entries } from './materials.ts'
import type { Reader, ReaderTable } from './materials.ts'

/** What is no JSON is refused, and may be: it is passed on then. */
const orRefused =
  (read: Reader): Reader =>
  (text) => {
    try {
      return read(text)
    } catch (error) {
      if (error instanceof SyntaxError) return null
      throw error
    }
  }

const blocks = (text: string) => [
  { type: 'text', text },
  { type: 'tool_result', tool_use_id: 'c', content: text },
  { type: 'text', text },
]
const body = (text: string) => encodeJson({ system: text, messages: [{ role: 'user', content: blocks(text) }] })

function listOf(text: string) {
  const raw = body(text)
  const start = findMembers(raw, 0).get('messages')?.start ?? 0
  return {
    text: raw,
    list: readList({ bytes: fromByteText(raw), start, wire: anthropicWire, earlier: [] }),
  }
}

const SIGNALS = { origin: 'gateway', id: null, isOfOneAgent: false, isExplicit: false, isCompaction: false } as const
const RESULT = { type: 'tool-result', toolCallId: 'c', toolName: 't' } as const

/** What clients and upstreams write, and the gateway reads on its way through. */
export const GATEWAY: ReaderTable = {
  'gateway/src/json/bytes.ts': {
    copyText,
    decodeJson: orRefused(decodeJson),
    decodeText: (text) => decodeText(encodeText(text)),
    encodeJson,
    encodeText,
    fromByteText,
  },
  'gateway/src/json/scan-json.ts': {
    endOfValue: orRefused((text) => [endOfValue(JSON.stringify(text), 0), endOfValue(text, 0)]),
    findElements: orRefused((text) => [findElements(JSON.stringify([text, text]), 0), findElements(`[${text}`, 0)]),
    findMembers: orRefused((text) => [findMembers(JSON.stringify({ a: text }), 0), findMembers(`{"a":${text}`, 0)]),
    skipSpace: (text) => skipSpace(text, 0),
    walkElements: orRefused((text) => walkElements(`[${text}`, 0, (at) => endOfValue(`[${text}`, at))),
    walkOn: orRefused((text) => walkOn(`[1,${text}`, { at: 2, index: 1 }, (at) => endOfValue(`[1,${text}`, at))),
  },
  'gateway/src/json/splice-changes.ts': {
    replaceSpans: (text) => replaceSpans(text, [{ start: 0, end: 1, by: text }]),
    spliceChanges: (text) => spliceChanges(encodeJson({ a: text, b: [text] }), { a: `${text}.`, b: [text] }),
  },
  'gateway/src/list/piece.ts': {
    createPiece: (text) => createPiece([{ role: 'user', parts: [{ type: 'text', text }], span: null, joins: false }]),
  },
  'gateway/src/list/read-list.ts': { readList: listOf },
  'gateway/src/list/splice-list.ts': {
    spliceList: (text) => {
      const own = listOf(text)
      return spliceList(own, own.list.pieces.slice(1), anthropicWire)
    },
  },
  'gateway/src/read-route.ts': { readRoute: (text) => readRoute(`/gateway/s/${text}`) },
  'gateway/src/recognize/find-call-kind.ts': {
    findCallKind: (text) => findCallKind({ signals: SIGNALS, list: listOf(text).list, hasTools: false }),
    goesOnFromSummary: (text) => goesOnFromSummary(listOf(text).list),
  },
  'gateway/src/recognize/keyed-hash.ts': {
    credentialOf: (text) => credentialOf({ authorization: text, 'x-api-key': text }),
    fingerprintOf: (text) => fingerprintOf(() => text, listOf('a').list),
    keyedHash: (text) => keyedHash('a secret', text),
  },
  'gateway/src/recognize/read-signals.ts': {
    readSignals: orRefused((text) => {
      const member = (key: string) =>
        key === 'metadata' ? encodeJson({ user_id: `user_session_${text}` }) : encodeJson(text)
      const headers = { 'x-codex-turn-metadata': text, 'user-agent': text }
      return [
        readSignals({ headers: {}, member, named: null }),
        readSignals({ headers, member: () => undefined, named: text }),
      ]
    }),
  },
  'gateway/src/recognize/read-stored-chain.ts': { readStoredChain: (text) => readStoredChain(entries(text)) },
  'gateway/src/upstream/create-usage-reader.ts': {
    createUsageReader: (text) => {
      const reader = createUsageReader(anthropicWire)
      reader.watch(Buffer.from(text))
      reader.watch(Buffer.from('"usage":{'.repeat(5_000)))
      return reader.read()
    },
  },
  'gateway/src/wires/anthropic/edit-blocks.ts': {
    editBlocks: (text) => editBlocks(encodeJson(blocks(text)), 'user', [{ ...RESULT, output: text }]),
  },
  'gateway/src/upstream/read-streamed-answer.ts': {
    readStreamedAnswer: (text) => readStreamedAnswer(`data: {"response":{}}\n${text}\ndata:${text}`),
  },
  'gateway/src/wires/anthropic/read-blocks.ts': {
    isNote: (text) => isNote(text),
    readBlocks: (text) => readBlocks(blocks(text), 'user', new Map()),
  },
  'gateway/src/wires/edit-arguments.ts': {
    editArguments: (text) => editArguments(encodeJson(JSON.stringify({ a: text })), { a: 'cut' }),
  },
  'gateway/src/wires/edit-output.ts': {
    editOutput: (text) => editOutput(encodeJson(text), { before: text, shown: `${text}.`, textType: 'text' }),
    isSameOutput: (text) => isSameOutput([{ type: 'text', text }], text),
  },
  'gateway/src/wires/openai-chat/read-message.ts': {
    readMessage: (text) =>
      readMessage(
        { role: 'assistant', content: text, tool_calls: [{ id: text, function: { arguments: text } }] },
        new Map(),
      ),
  },
  'gateway/src/wires/openai-responses/read-item.ts': {
    readItem: (text) => [
      readItem({ type: 'function_call', call_id: 'c', name: text, arguments: text }, new Map()),
      readItem({ role: 'user', content: [{ type: 'input_text', text }] }, new Map()),
    ],
  },
  'gateway/src/wires/read-content.ts': {
    fieldsOf,
    readArguments,
    readDataUrl,
    readTexts: (text) => readTexts([{ text }]),
    readUnknown,
    stringOf,
  },
}
