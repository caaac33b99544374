import { displayCall, displayInput } from '../../../packages/agent/src/approval/display-call.ts'
import { isCommand } from '../../../packages/agent/src/commands/run-command.ts'
import { readTitle } from '../../../packages/agent/src/maintenance/titling.ts'
import { findOrigins } from '../../../packages/agent/src/memory/find-origins.ts'
import { createView } from '../../../packages/engine/src/request/view/view.ts'
import {
  describeEnvironment,
  describeLeftOutTools,
  describeMessage,
} from '../../../packages/agent/src/inspect/context-item.ts'
import { isMemoryName } from '../../../packages/agent/src/memory/memory-folder.ts'
import {
  isBullet,
  isForeignNote,
  keyOf,
  splitLines,
  withoutBullet,
} from '../../../packages/agent/src/memory/note-marks.ts'
import { divideNotes, listForeignLines, splitNotes } from '../../../packages/agent/src/memory/split-notes.ts'
import { readCount, readList, readText } from '../../../packages/agent/src/memory/tools/arguments.ts'
import { listClaimedIds, renderRecalled } from '../../../packages/engine/src/search/render-recalled.ts'
import { textOfParts } from '../../../packages/agent/src/session/text-of-parts.ts'
import { describeError, toAgentError } from '../../../packages/agent/src/agent-error.ts'
import { textOfContent } from '../../../packages/store/src/jsonl/claude-code/read-blocks.ts'
import { createLineParser, parseJson, parseLines } from '../../../packages/store/src/jsonl/parse-lines.ts'
import { branchText, readPiContent, userText } from '../../../packages/store/src/jsonl/pi/read-pi-message.ts'
import { createTranscriptReader, readTranscripts } from '../../../packages/store/src/jsonl/read-transcripts.ts'
import { readModelId, readString, readTime } from '../../../packages/store/src/jsonl/read-values.ts'
import { writeEntryLine } from '../../../packages/store/src/jsonl/write-longhaul.ts'
import { findPreview, findTitle, toStorableText } from '../../../packages/store/src/records/describe-session.ts'
import { parseEntry, writeEntry } from '../../../packages/store/src/records/entry-text.ts'
import { hashContent } from '../../../packages/store/src/records/hash-content.ts'
import { readCursor } from '../../../packages/store/src/records/page.ts'
import { withoutContent } from '../../../packages/store/src/records/without-content.ts'
import { checkId, checkNewId } from '../../../packages/store/src/records/check-id.ts'
import { findSteeringReason } from '../../../packages/tools/src/files/steering-files.ts'
import { createUserSayings } from '../../../packages/agent/src/memory/user-sayings.ts'
import { isPrivateAddress } from '../../../packages/tools/src/http/is-private-address.ts'
import { POLICY, answered, calling, entries, entry, messages, said, sessionContext, state } from './materials.ts'
import type { ReaderTable } from './materials.ts'

/** Refusing is an answer too; what is measured is the time it takes. */
function attempt(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error
  }
}

/** The text as it comes over a network. */
function inPieces(text: string, reader: { add(piece: string): void; finish(): unknown }): unknown {
  for (let from = 0; from < text.length; from += 1_000) reader.add(text.slice(from, from + 1_000))
  return reader.finish()
}

/** One line for each format that an import knows, with the text in every place that takes one. */
function foreignTranscript(text: string): string {
  return [
    { type: 'session', version: 3, id: 'a', timestamp: text, cwd: text },
    { type: 'message', id: 'b', message: { role: 'user', content: [{ type: 'text', text }] } },
    { type: 'user', uuid: 'c', message: { role: 'user', content: text }, timestamp: text },
    { role: 'user', content: text },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n')
}

/** Memory, recall and approvals; readers of transcripts and of stored rows; tools. */
export const AGENT_AND_STORE: ReaderTable = {
  'agent/src/agent-error.ts': {
    toAgentError: (text) => toAgentError(new Error(text)),
    describeError: (text) => describeError(new Error(text)),
  },
  'agent/src/approval/display-call.ts': {
    displayCall: (text) => displayCall({ toolName: text, input: { [text]: text, b: [text] } }, text),
    displayInput: (text) => displayInput({ command: text }),
  },
  'agent/src/commands/run-command.ts': { isCommand: (text) => [isCommand(text), isCommand(`/${text}`)] },
  'agent/src/inspect/context-item.ts': {
    describeMessage: (text) => createView(state(text), POLICY).items.map((item) => describeMessage(item, 'classes')),
    describeLeftOutTools: (text) =>
      describeLeftOutTools({
        origin: { kind: 'mcp', server: text },
        offered: 2,
        leftOut: 1,
        tokens: 1,
        chars: 1,
      }),
    describeEnvironment: (text) =>
      describeEnvironment({ system: text, files: [{ name: text, text }], tools: [] }, 'classes'),
  },
  'agent/src/maintenance/titling.ts': { readTitle },
  'agent/src/memory/find-origins.ts': {
    findOrigins: (text) => findOrigins(sessionContext(text), [text], async () => null),
  },
  'agent/src/memory/memory-folder.ts': { isMemoryName },
  'agent/src/memory/note-marks.ts': { withoutBullet, isBullet, isForeignNote, splitLines, keyOf },
  'agent/src/memory/split-notes.ts': { splitNotes, listForeignLines, divideNotes },
  'agent/src/memory/user-sayings.ts': {
    createUserSayings: (text) => [
      createUserSayings([text]).say('The garden has 12 rows.'),
      createUserSayings(['My garden has 12 rows.', text]).say(text),
    ],
  },
  'agent/src/memory/tools/arguments.ts': {
    readText: (text) => readText({ text }, 'text'),
    readCount: (text) => readCount({ text }, 'text', 1),
    readList: (text) => readList({ text: [text] }, 'text'),
  },
  'engine/src/search/render-recalled.ts': {
    renderRecalled: (text) => [renderRecalled(entry(said(text)), 'garden row'), renderRecalled(entry(said('a')), text)],
    listClaimedIds: (text) => [listClaimedIds(text), listClaimedIds(`[message ${text}`)],
  },
  'agent/src/session/text-of-parts.ts': { textOfParts: (text) => textOfParts(said(text).parts) },
  'store/src/jsonl/claude-code/read-blocks.ts': { textOfContent: (text) => textOfContent([{ type: 'text', text }]) },
  'store/src/jsonl/parse-lines.ts': {
    parseLines: (text) => [parseLines(text), parseLines(`{"a":1}\n${text}`)],
    createLineParser: (text) => inPieces(text, createLineParser()),
    parseJson,
  },
  'store/src/jsonl/pi/read-pi-message.ts': {
    userText,
    branchText,
    readPiContent: (text) => readPiContent([{ type: 'text', text }]),
  },
  'store/src/jsonl/read-transcripts.ts': {
    createTranscriptReader: (text) => attempt(() => inPieces(text, createTranscriptReader())),
    readTranscripts: (text) => [
      attempt(() => readTranscripts(text)),
      ...foreignTranscript(text)
        .split('\n')
        .map((line) => attempt(() => readTranscripts(line))),
      attempt(() =>
        readTranscripts(
          messages(text)
            .map((message) => JSON.stringify(message))
            .join('\n'),
        ),
      ),
    ],
  },
  'store/src/jsonl/read-values.ts': {
    readTime,
    readString,
    readModelId: (text) => readModelId(text, text),
  },
  'store/src/jsonl/write-longhaul.ts': { writeEntryLine: (text) => entries(text).map(writeEntryLine) },
  'store/src/records/check-id.ts': {
    checkId: (text) => attempt(() => checkId(text, 'session')),
    checkNewId: (text) => attempt(() => checkNewId(text, 'session')),
  },
  'store/src/records/describe-session.ts': {
    findTitle: (text) => findTitle(entries(text)),
    findPreview: (text) => findPreview(entries(text)),
    toStorableText,
  },
  'store/src/records/entry-text.ts': {
    writeEntry: (text) => writeEntry(entry(said(text))),
    parseEntry: (text) => [
      attempt(() => parseEntry(text, 's', 1)),
      parseEntry(JSON.stringify(entry(said(text))), 's', 1),
    ],
  },
  'store/src/records/hash-content.ts': { hashContent },
  'store/src/records/page.ts': { readCursor: (text) => attempt(() => readCursor(text)) },
  'store/src/records/without-content.ts': {
    withoutContent: (text) => withoutContent(entry({ role: 'assistant', parts: [calling(text), answered(text)] })),
  },
  'tools/src/files/steering-files.ts': { findSteeringReason },
  'tools/src/http/is-private-address.ts': { isPrivateAddress },
}
