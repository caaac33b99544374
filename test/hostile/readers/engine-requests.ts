import { groupParts } from '../../../packages/engine/src/compaction/calls/merge-parts.ts'
import { describeError } from '../../../packages/engine/src/compaction/calls/ask-summary.ts'
import { planChunks, planSingleText } from '../../../packages/engine/src/compaction/chunks.ts'
import { describeFailure } from '../../../packages/engine/src/compaction/log-lines.ts'
import { joinPieces } from '../../../packages/engine/src/compaction/prompt-content.ts'
import { createChangesPrompt } from '../../../packages/engine/src/compaction/prompts/changes-v1.ts'
import { closingLines } from '../../../packages/engine/src/compaction/prompts/closing-lines.ts'
import { createFence } from '../../../packages/engine/src/compaction/prompts/fence.ts'
import { createMergePrompt } from '../../../packages/engine/src/compaction/prompts/merge-v1.ts'
import { createSummarisePrompt } from '../../../packages/engine/src/compaction/prompts/summarise-v1.ts'
import { namesLanguage, readUserWish } from '../../../packages/engine/src/compaction/prompts/user-wish.ts'
import { capMiddle, fitTokens, renderSpan } from '../../../packages/engine/src/compaction/summariser-input.ts'
import { describeValue } from '../../../packages/engine/src/context/describe-value.ts'
import { hashMessage } from '../../../packages/engine/src/context/hash-message.ts'
import { readMessageStrictly } from '../../../packages/engine/src/context/read-message-strictly.ts'
import { createWordSearch } from '../../../packages/engine/src/context/search-entries.ts'
import { truncateResults } from '../../../packages/engine/src/context/truncate-results.ts'
import { isSilentReply } from '../../../packages/engine/src/flush/is-silent-reply.ts'
import { neutralize, neutralizeLine, neutralizeWithin } from '../../../packages/engine/src/messages/neutralize.ts'
import { showHidden, showPrinted } from '../../../packages/engine/src/messages/show-hidden.ts'
import { applyForm, applyForms, isTextOnly } from '../../../packages/engine/src/pruning/apply-form.ts'
import { createClearForm, createTrimForm } from '../../../packages/engine/src/pruning/create-form.ts'
import { readFileAccess, readPath } from '../../../packages/engine/src/pruning/file-access.ts'
import { isToolSelected, matchesGlob } from '../../../packages/engine/src/pruning/glob.ts'
import { planOversized } from '../../../packages/engine/src/pruning/plan-oversized.ts'
import { planPruning } from '../../../packages/engine/src/pruning/plan-pruning.ts'
import { planResultTrim } from '../../../packages/engine/src/pruning/plan-result-trim.ts'
import { charsOf, findPrunableResults, findResultsFrom } from '../../../packages/engine/src/pruning/prunable.ts'
import { findStaleReads } from '../../../packages/engine/src/pruning/stale-reads.ts'
import { pairTools } from '../../../packages/engine/src/messages/tool-pairs.ts'
import { foldEntries } from '../../../packages/engine/src/request/fold/fold-log.ts'
import { foldEntry } from '../../../packages/engine/src/request/fold/fold.ts'
import { planNext } from '../../../packages/engine/src/request/plan/plan.ts'
import { planPin } from '../../../packages/engine/src/request/plan/plan-pin.ts'
import { sealPairs } from '../../../packages/engine/src/request/seal/seal-pairs.ts'
import { createDraft, dropReasoning } from '../../../packages/engine/src/request/seal/draft.ts'
import { bytesOfText, measureRequest } from '../../../packages/engine/src/request/seal/measure-bytes.ts'
import { sealParts } from '../../../packages/engine/src/request/seal/seal-text.ts'
import { sealRequest } from '../../../packages/engine/src/request/seal/seal.ts'
import { measureEnvironment, renderSystem } from '../../../packages/engine/src/request/view/environment.ts'
import { joinSystem, renderPin, renderPins } from '../../../packages/engine/src/request/view/place-summary.ts'
import { createView } from '../../../packages/engine/src/request/view/view.ts'
import { UNCALIBRATED } from '../../../packages/engine/src/tokens/meter.ts'
import {
  LIMITS,
  POLICY,
  answered,
  calling,
  document,
  entries,
  entry,
  items,
  messages,
  said,
  sessionContext,
  state,
} from './materials.ts'
import type { ReaderTable } from './materials.ts'

const TRIMMED = { form: 'soft-trimmed', headChars: 1_500, tailChars: 1_500, note: '[cut]' } as const
const MEASURE = { environment: null, model: null, calibration: UNCALIBRATED, estimator: 'classes' } as const
const WISHES = { wish: null, language: null, words: null } as const
const CHUNKS = { preview: null, limits: LIMITS, estimator: 'classes', besideTokens: 0 } as const

function pruning(text: string) {
  return {
    items: items(text),
    policy: POLICY.contextPruning,
    estimator: 'classes',
    usedTokens: 190_000,
    limits: LIMITS,
    now: 1e9,
    lastCallAt: null,
  } as const
}

/** What a result looks like to the planners of pruning. */
function prunable(text: string) {
  const stored = { ...answered(text), toolName: text }
  const item = items(text)[2]
  if (item === undefined) throw new Error('there is no result')
  return { item, messageIndex: 2, partIndex: 0, place: '2', stored, shown: stored, form: null } as const
}

function environment(text: string) {
  return { system: text, files: [{ name: text, text }], tools: [{ name: text, description: text, inputSchema: {} }] }
}

/** Pruning, prompts of compactions, view, plan and seal: what puts foreign text into requests. */
export const ENGINE_REQUESTS: ReaderTable = {
  'engine/src/compaction/calls/ask-summary.ts': { describeError: (text) => describeError(new Error(text)) },
  'engine/src/compaction/calls/merge-parts.ts': { groupParts: (text) => groupParts([text, text], 10_000, 'classes') },
  'engine/src/compaction/chunks.ts': {
    planChunks: (text) => planChunks(items(text), CHUNKS),
    planSingleText: (text) => planSingleText(items(text), { ...CHUNKS, maxChars: 100_000, ratio: 1 }),
  },
  'engine/src/compaction/log-lines.ts': {
    describeFailure: (text) => describeFailure({ problem: text, attempt: 1, attempts: 2, instead: 'retry' }),
  },
  'engine/src/compaction/prompt-content.ts': { joinPieces: (text) => joinPieces([{ text }, { text }]) },
  'engine/src/compaction/prompts/changes-v1.ts': {
    createChangesPrompt: (text) => createChangesPrompt({ ...WISHES, transcript: text, document: document(text) }),
  },
  'engine/src/compaction/prompts/closing-lines.ts': { closingLines: (text) => closingLines({ ...WISHES, wish: text }) },
  'engine/src/compaction/prompts/fence.ts': { createFence: (text) => createFence([text, text]).block('NOTES', text) },
  'engine/src/compaction/prompts/merge-v1.ts': {
    createMergePrompt: (text) => createMergePrompt({ ...WISHES, wish: text, parts: [text, text] }),
  },
  'engine/src/compaction/prompts/summarise-v1.ts': {
    createSummarisePrompt: (text) => createSummarisePrompt({ ...WISHES, transcript: text, earlierSummary: text }),
  },
  'engine/src/compaction/prompts/user-wish.ts': { readUserWish, namesLanguage },
  'engine/src/compaction/summariser-input.ts': {
    renderSpan: (text) => renderSpan(items(text), { preview: POLICY.compaction.preview, isNumbered: true }),
    capMiddle: (text) => capMiddle(text, 50_000),
    fitTokens: (text) => fitTokens(text, 5_000, 'classes'),
  },
  'engine/src/context/describe-value.ts': { describeValue },
  'engine/src/context/hash-message.ts': { hashMessage: (text) => messages(text).map(hashMessage) },
  'engine/src/context/read-message-strictly.ts': {
    readMessageStrictly: (text) => readMessageStrictly({ role: 'user', content: text }),
  },
  'engine/src/context/search-entries.ts': {
    createWordSearch: (text) => createWordSearch(() => entries(text))('garden row', { beforeSeq: 9, limit: 5 }),
  },
  'engine/src/context/truncate-results.ts': {
    truncateResults: (text) =>
      truncateResults({ role: 'tool', parts: [answered(text)] }, { maxChars: 30_000, keep: 'head-tail' }),
  },
  'engine/src/flush/is-silent-reply.ts': {
    isSilentReply: (text) => [
      isSilentReply(text, 'NO_REPLY', 'files'),
      isSilentReply(`${text}NO_REPLY`, 'NO_REPLY', 'files'),
    ],
  },
  'engine/src/messages/neutralize.ts': { neutralize, neutralizeLine, neutralizeWithin },
  'engine/src/messages/show-hidden.ts': { showHidden, showPrinted },
  'engine/src/pruning/apply-form.ts': {
    applyForms: (text) => applyForms({ role: 'tool', parts: [answered(text)] }, new Map([[0, TRIMMED]])),
    applyForm: (text) => [applyForm(answered(text), TRIMMED), applyForm(calling(text), TRIMMED)],
    isTextOnly: (text) => isTextOnly([{ type: 'text', text }]),
  },
  'engine/src/pruning/create-form.ts': {
    createTrimForm: (text) => createTrimForm(prunable(text), POLICY.contextPruning),
    createClearForm: (text) => createClearForm(prunable(text), POLICY.contextPruning, { why: 'changed', path: text }),
  },
  'engine/src/pruning/file-access.ts': {
    readFileAccess: (text) => readFileAccess(calling(text, 'read_file', 'path')),
    readPath: (text) => readPath({ path: text }),
  },
  'engine/src/pruning/glob.ts': {
    isToolSelected: (text) => isToolSelected(text, { allow: ['*a*b*c'], deny: ['a*'] }),
    matchesGlob: (text) => matchesGlob('*a*b*a*c', text),
  },
  'engine/src/pruning/plan-oversized.ts': {
    planOversized: (text) => planOversized({ items: items(text), estimator: 'classes', maxTokens: 1_000 }),
  },
  'engine/src/pruning/plan-pruning.ts': { planPruning: (text) => planPruning(pruning(text)) },
  'engine/src/pruning/plan-result-trim.ts': { planResultTrim: (text) => planResultTrim(items(text), 'classes') },
  'engine/src/pruning/prunable.ts': {
    charsOf: (text) => [charsOf(answered(text)), charsOf(calling(text))],
    findPrunableResults: (text) => findPrunableResults(pruning(text)),
    findResultsFrom: (text) => findResultsFrom(items(text), 0),
  },
  'engine/src/pruning/stale-reads.ts': { findStaleReads: (text) => findStaleReads(pairTools(messages(text))) },
  'engine/src/request/fold/fold-log.ts': { foldEntries: (text) => foldEntries(entries(text)) },
  'engine/src/request/fold/fold.ts': { foldEntry: (text) => foldEntry(state('a'), entry(said(text, 'user'), 6)) },
  'engine/src/request/plan/plan.ts': {
    planNext: (text) => planNext({ ...sessionContext(text), checkPoint: 'before-turn', now: 1e9 }),
  },
  'engine/src/request/plan/plan-pin.ts': { planPin: (text) => planPin(sessionContext('a'), text) },
  'engine/src/request/seal/draft.ts': {
    dropReasoning: (text) => messages(text).map(({ parts }) => dropReasoning(parts)),
  },
  'engine/src/request/seal/measure-bytes.ts': {
    bytesOfText,
    measureRequest: (text) => measureRequest(text, [], environment(text).tools).bytesHash,
  },
  'engine/src/request/seal/seal-pairs.ts': {
    sealPairs: (text) =>
      sealPairs(
        createView(state(text), POLICY).items.map((item) => createDraft(item, false)),
        [],
      ),
  },
  'engine/src/request/seal/seal-text.ts': { sealParts: (text) => messages(text).map(({ parts }) => sealParts(parts)) },
  'engine/src/request/seal/seal.ts': {
    sealRequest: (text) =>
      sealRequest({ view: createView(state(text), POLICY), context: MEASURE, maxTokens: 50_000, maxBytes: 100_000 }),
  },
  'engine/src/request/view/environment.ts': {
    measureEnvironment: (text) => measureEnvironment(environment(text), 'classes'),
    renderSystem: (text) => renderSystem(environment(text)),
  },
  'engine/src/request/view/place-summary.ts': {
    joinSystem: (text) => joinSystem([{ kind: 'summary', text }], text),
    renderPin: (text) => renderPin({ text }),
    renderPins: (text) => renderPins([{ text }, { text }]),
  },
  'engine/src/request/view/view.ts': { createView: (text) => createView(state(text), POLICY) },
}
