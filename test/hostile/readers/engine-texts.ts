import { frameNotes } from '../../../packages/engine/src/messages/frame-notes.ts'
import { findCutPoints } from '../../../packages/engine/src/messages/cut-points.ts'
import {
  outputText,
  renderMessage,
  renderMessages,
  renderParts,
} from '../../../packages/engine/src/messages/render-text.ts'
import { shortenEnd, shortenMiddle } from '../../../packages/engine/src/messages/shorten.ts'
import { sliceHead, sliceTail } from '../../../packages/engine/src/messages/slice-text.ts'
import { hasToolCall, pairTools } from '../../../packages/engine/src/messages/tool-pairs.ts'
import {
  isExtentKey,
  isPathKey,
  normalizePath,
  toolWords,
} from '../../../packages/engine/src/messages/tool-vocabulary.ts'
import {
  countAssistantTurnsAfter,
  findFirstUserMessage,
  findLastAssistantTurns,
  findNewestUserMessage,
} from '../../../packages/engine/src/messages/turns.ts'
import { isSearchable, knownText, searchableText } from '../../../packages/engine/src/search/message-text.ts'
import { linesOf } from '../../../packages/engine/src/search/find-relevant-lines.ts'
import { namesIn } from '../../../packages/engine/src/search/find-named-lines.ts'
import { countPhrase, rankByWords } from '../../../packages/engine/src/search/rank-by-words.ts'
import { readQuery } from '../../../packages/engine/src/search/read-query.ts'
import { recallTerms, shareOfTerm } from '../../../packages/engine/src/search/recall-terms.ts'
import { makeSnippet } from '../../../packages/engine/src/search/snippet.ts'
import { hasWords, isUnspaced, splitWords } from '../../../packages/engine/src/search/split-words.ts'
import { countNumberedLines } from '../../../packages/engine/src/tokens/count-numbered-lines.ts'
import {
  countFrames,
  estimateField,
  estimateMessage,
  estimatePart,
  measureMessage,
} from '../../../packages/engine/src/tokens/estimate-message.ts'
import { estimateText } from '../../../packages/engine/src/tokens/estimate-text.ts'
import { createLink, extendChain, hashText } from '../../../packages/engine/src/tokens/hash.ts'
import { measureGrowth } from '../../../packages/engine/src/tokens/measure-growth.ts'
import { hasBill, isOtherModel } from '../../../packages/engine/src/tokens/trace-prefix.ts'
import { readFailure } from '../../../packages/engine/src/transcript/failure.ts'
import { createItem } from '../../../packages/engine/src/transcript/item.ts'
import { isRecord, isStringList, textOf, toJson, toJsonObject } from '../../../packages/engine/src/transcript/json.ts'
import { readEntry } from '../../../packages/engine/src/transcript/read-entry.ts'
import { readOutput, readParts, readRole, readUsage } from '../../../packages/engine/src/transcript/read-message.ts'
import { readSummaryDocument } from '../../../packages/engine/src/transcript/read-summary-document.ts'
import { limitBootstrapFile } from '../../../packages/engine/src/truncation/limit-bootstrap-file.ts'
import { truncateToolOutput } from '../../../packages/engine/src/truncation/truncate-tool-output.ts'
import { POLICY, document, entries, entry, messages, said } from './materials.ts'
import type { ReaderTable } from './materials.ts'

const PHRASES = readQuery('garden "first row" 庭')

/** The ground floor of the engine: messages, words, sizes, and readers of stored data. */
export const ENGINE_TEXTS: ReaderTable = {
  'engine/src/messages/frame-notes.ts': { frameNotes },
  'engine/src/messages/cut-points.ts': { findCutPoints: (text) => findCutPoints(messages(text)) },
  'engine/src/messages/render-text.ts': {
    renderMessage: (text) => renderMessage(said(text), POLICY.compaction.preview ?? {}),
    renderParts: (text) => messages(text).map(({ parts }) => renderParts(parts)),
    renderMessages: (text) => renderMessages(messages(text)),
    outputText: (text) => outputText([{ type: 'text', text }]),
  },
  'engine/src/messages/shorten.ts': {
    shortenEnd: (text) => shortenEnd(text, 200),
    shortenMiddle: (text) => shortenMiddle(text, 4_000, 1_500, 1_500),
  },
  'engine/src/messages/slice-text.ts': {
    sliceHead: (text) => sliceHead(text, 100_001),
    sliceTail: (text) => sliceTail(text, 100_001),
  },
  'engine/src/messages/tool-pairs.ts': {
    pairTools: (text) => pairTools(messages(text)),
    hasToolCall: (text) => hasToolCall(said(text)),
  },
  'engine/src/messages/tool-vocabulary.ts': { toolWords, isPathKey, isExtentKey, normalizePath },
  'engine/src/messages/turns.ts': {
    findNewestUserMessage: (text) => findNewestUserMessage(messages(text)),
    findFirstUserMessage: (text) => findFirstUserMessage(messages(text)),
    findLastAssistantTurns: (text) => findLastAssistantTurns(messages(text), 3),
    countAssistantTurnsAfter: (text) => countAssistantTurnsAfter(messages(text)),
  },
  'engine/src/search/message-text.ts': {
    knownText: (text) => knownText(entry(said(text))),
    searchableText: (text) => searchableText(entry(said(text))),
    isSearchable: (text) => isSearchable(entry(said(text))),
  },
  'engine/src/search/find-relevant-lines.ts': { linesOf: (text) => linesOf(entry(said(text))) },
  'engine/src/search/find-named-lines.ts': { namesIn },
  'engine/src/search/recall-terms.ts': { recallTerms, shareOfTerm },
  'engine/src/search/rank-by-words.ts': {
    rankByWords: (text) => rankByWords([{ words: splitWords(text) }], PHRASES),
    countPhrase: (text) => countPhrase(splitWords(text), ['a', 'a', 'b']),
  },
  'engine/src/search/read-query.ts': { readQuery },
  'engine/src/search/snippet.ts': { makeSnippet: (text) => makeSnippet(text, PHRASES) },
  'engine/src/search/split-words.ts': { splitWords, hasWords, isUnspaced },
  'engine/src/tokens/count-numbered-lines.ts': {
    countNumberedLines: (text) => messages(text).map(countNumberedLines),
  },
  'engine/src/tokens/estimate-message.ts': {
    estimateMessage: (text) => messages(text).map((message) => estimateMessage(message, 'classes')),
    measureMessage: (text) => messages(text).map((message) => measureMessage(message, 'classes')),
    countFrames: (text) => countFrames(said(text)),
    estimatePart: (text) => estimatePart({ type: 'text', text }, 'plain'),
    estimateField: (text) => estimateField(text, 'classes'),
  },
  'engine/src/tokens/estimate-text.ts': { estimateText },
  'engine/src/tokens/hash.ts': {
    extendChain: (text) => extendChain(createLink(''), text),
    createLink,
    hashText,
  },
  'engine/src/tokens/measure-growth.ts': { measureGrowth: (text) => measureGrowth(entries(text), null) },
  'engine/src/tokens/trace-prefix.ts': {
    isOtherModel: (text) => isOtherModel(text, `${text}b`),
    hasBill: (text) => hasBill(entry(said(text)), text),
  },
  'engine/src/transcript/failure.ts': { readFailure: (text) => readFailure({ code: text, message: text }) },
  'engine/src/transcript/item.ts': { createItem: (text) => createItem(entry(said(text))) },
  'engine/src/transcript/json.ts': {
    isRecord,
    isStringList: (text) => isStringList(text.split('')),
    toJson: (text) => toJson({ [text]: text }),
    toJsonObject: (text) => toJsonObject({ [text]: [text] }),
    textOf,
  },
  'engine/src/transcript/read-entry.ts': {
    readEntry: (text) => [readEntry(entry(said(text))), readEntry({ type: text, id: text })],
  },
  'engine/src/transcript/read-message.ts': {
    readRole,
    readParts: (text) => readParts([{ type: 'text', text }, text, { type: text }], 'assistant'),
    readUsage,
    readOutput: (text) => [readOutput(text), readOutput({ type: 'text', value: text }), readOutput([text])],
  },
  'engine/src/transcript/read-summary-document.ts': {
    readSummaryDocument: (text) => readSummaryDocument(document(text)),
  },
  'engine/src/truncation/limit-bootstrap-file.ts': {
    limitBootstrapFile: (text) => limitBootstrapFile({ name: text, text }, 20_000),
  },
  'engine/src/truncation/truncate-tool-output.ts': {
    truncateToolOutput: (text) => truncateToolOutput(text, POLICY.toolResults),
  },
}
