import { createQuestion, readQuestions } from '../../../packages/models/src/offline/answering/read-questions.ts'
import { chooseQuotes } from '../../../packages/models/src/offline/answering/choose-quotes.ts'
import { findEvidence } from '../../../packages/models/src/offline/answering/find-evidence.ts'
import { readSmallTalk } from '../../../packages/models/src/offline/answering/read-small-talk.ts'
import { findPaths } from '../../../packages/models/src/offline/calling/find-paths.ts'
import { readToolAsks } from '../../../packages/models/src/offline/calling/read-tool-asks.ts'
import { unquote } from '../../../packages/models/src/offline/calling/tool-ask-rules.ts'
import { planTitle } from '../../../packages/models/src/offline/housekeeping/plan-title.ts'
import { readFlushPrompt } from '../../../packages/models/src/offline/housekeeping/read-flush-prompt.ts'
import { withoutOwnWords } from '../../../packages/models/src/offline/own-words.ts'
import { planOfflineReply } from '../../../packages/models/src/offline/plan-offline-reply.ts'
import { corrects, replaces, saysChanged } from '../../../packages/models/src/offline/reading/corrects.ts'
import { isQuestion } from '../../../packages/models/src/offline/reading/is-question.ts'
import { readConversation } from '../../../packages/models/src/offline/reading/read-conversation.ts'
import { splitOrigins } from '../../../packages/models/src/offline/reading/split-origins.ts'
import { isFaint, termsOf } from '../../../packages/models/src/offline/reading/terms.ts'
import { collectPoints } from '../../../packages/models/src/offline/summarising/collect-points.ts'
import { dropOutdated } from '../../../packages/models/src/offline/summarising/drop-outdated.ts'
import { fitPoints } from '../../../packages/models/src/offline/summarising/fit-points.ts'
import { planRecap } from '../../../packages/models/src/offline/summarising/plan-summary.ts'
import { carryPoints, kindOfSection, readNotes } from '../../../packages/models/src/offline/summarising/read-notes.ts'
import { readSummaryPrompt } from '../../../packages/models/src/offline/summarising/read-summary-prompt.ts'
import { isNumbered, readTranscript } from '../../../packages/models/src/offline/summarising/read-transcript.ts'
import { createErrorClassifier } from '../../../packages/models/src/overflow/create-error-classifier.ts'
import { findOverflow } from '../../../packages/models/src/overflow/find-overflow.ts'
import { readError } from '../../../packages/models/src/overflow/read-error.ts'
import { readRetryAfter } from '../../../packages/models/src/overflow/retry-after.ts'
import { plainQuotes } from '../../../packages/models/src/overflow/table/error-row.ts'
import { readCount } from '../../../packages/models/src/overflow/table/text-pattern.ts'
import { createRedactor } from '../../../packages/models/src/providers/create-redactor.ts'
import { createAnswer } from '../../../packages/models/src/stream/answer/collect-answer.ts'
import { readToolCall } from '../../../packages/models/src/stream/answer/read-piece.ts'
import { storeBlock } from '../../../packages/models/src/stream/answer/text-block.ts'
import { createFailure, interruptedBy, sealFailure } from '../../../packages/models/src/stream/failures.ts'
import { readMediaSource } from '../../../packages/models/src/stream/prompt/media-source.ts'
import { readFailure } from '../../../packages/models/src/stream/read-failure.ts'
import { entries } from './materials.ts'
import type { ReaderTable } from './materials.ts'

const REDACT = createRedactor(['sk-planted-key'])
const CLASSIFY = createErrorClassifier()
const ERROR = { status: 400, isFromProvider: true } as const

type LanguageModelV4Prompt = Parameters<typeof readConversation>[0]

const FLUSH = {
  role: 'user',
  content: [{ type: 'text', text: 'Save durable notes to memory now. If there is nothing, answer with NO_REPLY.' }],
} as const satisfies LanguageModelV4Prompt[number]
const SAVE = {
  type: 'function',
  name: 'save_memory',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
} as const

const passage = (text: string) => ({ origin: 'tool', toolName: 'read', text, isNew: false }) as const
const statement = (text: string) => ({ text: `now ${text}`, terms: termsOf(text) })
const point = (text: string) => ({ kind: 'state', text: `now ${text}`, score: 2, order: 1 }) as const

function prompt(text: string): LanguageModelV4Prompt {
  return [
    { role: 'system', content: text },
    { role: 'user', content: [{ type: 'text', text }] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: text } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: text } }],
    },
  ]
}

function ask(text: string): LanguageModelV4Prompt {
  return [
    ...prompt(text),
    { role: 'user', content: [{ type: 'text', text: `What did I say about the garden? ${text}` }] },
  ]
}

function summaryPrompt(text: string): string {
  return `----- BEGIN TRANSCRIPT abcdefgh -----\nUser: ${text}\n\n${text}\n----- END TRANSCRIPT abcdefgh -----\n\nBegin with <summary>. ${text}`
}

/** What reads providers' answers and errors, and the offline model, which reads whatever it is given. */
export const MODELS: ReaderTable = {
  'models/src/offline/answering/choose-quotes.ts': {
    chooseQuotes: (text) => chooseQuotes(createQuestion(`What is a 1? ${text.slice(0, 1_000)}`), [passage(text)]),
  },
  'models/src/offline/answering/find-evidence.ts': {
    findEvidence: (text) =>
      findEvidence(createQuestion('What is a 1?'), [passage(text), { ...passage(text), origin: 'summary' }]),
  },
  'models/src/offline/answering/read-questions.ts': { readQuestions, createQuestion },
  'models/src/offline/answering/read-small-talk.ts': { readSmallTalk },
  'models/src/offline/calling/find-paths.ts': { findPaths },
  'models/src/offline/calling/read-tool-asks.ts': {
    readToolAsks: (text) => [
      readToolAsks(text, ['read_file']),
      readToolAsks(`call read_file with ${text.slice(0, 3_000)}`, ['read_file']),
      readToolAsks(`write this to a.txt:\n${text}`, ['read_file']),
    ],
  },
  'models/src/offline/calling/tool-ask-rules.ts': { unquote },
  'models/src/offline/housekeeping/plan-title.ts': {
    planTitle: (text) =>
      planTitle(
        readConversation([
          ...prompt(text),
          { role: 'user', content: [{ type: 'text', text: 'Give a title for this conversation.' }] },
        ]),
      ),
  },
  'models/src/offline/housekeeping/read-flush-prompt.ts': { readFlushPrompt },
  'models/src/offline/own-words.ts': { withoutOwnWords },
  'models/src/offline/plan-offline-reply.ts': {
    planOfflineReply: (text) => [
      planOfflineReply(readConversation(ask(text)), {}),
      planOfflineReply(
        readConversation([{ role: 'user', content: [{ type: 'text', text: summaryPrompt(text) }] }]),
        {},
      ),
      planOfflineReply(readConversation([...prompt(text), FLUSH]), { tools: [SAVE] }),
    ],
  },
  'models/src/offline/reading/corrects.ts': {
    saysChanged,
    corrects: (text) => corrects(statement(text), statement(text.slice(0, 900))),
    replaces: (text) => replaces(statement(text), statement(text.slice(0, 900))),
  },
  'models/src/offline/reading/is-question.ts': { isQuestion },
  'models/src/offline/reading/read-conversation.ts': { readConversation: (text) => readConversation(prompt(text)) },
  'models/src/offline/reading/split-origins.ts': {
    splitOrigins: (text) => [
      splitOrigins(text, 'system'),
      splitOrigins(`Previous conversation summary:\n${text}`, 'system'),
      splitOrigins(`[CONTEXT SUMMARY]\n${text}`, 'user'),
      splitOrigins(`[Pinned by the user; a]\n${text}`, 'system'),
    ],
  },
  'models/src/offline/reading/terms.ts': { termsOf, isFaint },
  'models/src/offline/summarising/collect-points.ts': {
    collectPoints: (text) => collectPoints(entries(text), { withNames: true }),
  },
  'models/src/offline/summarising/drop-outdated.ts': {
    dropOutdated: (text) => dropOutdated([point(text), { ...point(text.slice(0, 900)), order: 2 }]),
  },
  'models/src/offline/summarising/fit-points.ts': { fitPoints: (text) => fitPoints([point(text)], 500) },
  'models/src/offline/summarising/plan-summary.ts': { planRecap: (text) => planRecap(entries(text)) },
  'models/src/offline/summarising/read-notes.ts': {
    readNotes,
    kindOfSection,
    carryPoints: (text) => carryPoints([text]),
  },
  'models/src/offline/summarising/read-summary-prompt.ts': {
    readSummaryPrompt: (text) => [readSummaryPrompt(text), readSummaryPrompt(summaryPrompt(text))],
  },
  'models/src/offline/summarising/read-transcript.ts': { readTranscript, isNumbered },
  'models/src/overflow/create-error-classifier.ts': {
    createErrorClassifier: (text) => [
      CLASSIFY({ ...ERROR, message: text, body: text }),
      CLASSIFY({
        ...ERROR,
        message: '',
        body: { error: { message: text, code: text } },
        headers: { 'retry-after': text },
      }),
    ],
  },
  'models/src/overflow/find-overflow.ts': {
    findOverflow: (text) => [
      findOverflow(text),
      findOverflow(new Error(text)),
      findOverflow({ message: text, error: text }),
    ],
  },
  'models/src/overflow/read-error.ts': { readError: (text) => readError({ ...ERROR, message: text, body: text }) },
  'models/src/overflow/retry-after.ts': {
    readRetryAfter: (text) =>
      readRetryAfter({ headers: new Map([['retry-after', text]]), delay: text, text, nowMs: 0 }),
  },
  'models/src/overflow/table/error-row.ts': { plainQuotes },
  'models/src/overflow/table/text-pattern.ts': { readCount },
  'models/src/providers/create-redactor.ts': { createRedactor: (text) => REDACT(text) },
  'models/src/stream/answer/collect-answer.ts': {
    createAnswer: (text) => {
      const answer = createAnswer('vendor')
      answer.take({ type: 'text-start', id: '1' })
      for (const piece of text.match(/[^]{1,20}/g) ?? []) answer.take({ type: 'text-delta', id: '1', delta: piece })
      answer.complete()
      return answer.parts()
    },
  },
  'models/src/stream/answer/read-piece.ts': {
    readToolCall: (text) => readToolCall({ type: 'tool-call', toolCallId: '', toolName: text, input: text }, 0),
  },
  'models/src/stream/answer/text-block.ts': {
    storeBlock: (text) => storeBlock({ type: 'text', text, options: {}, isOpen: false }, 'vendor'),
  },
  'models/src/stream/failures.ts': {
    createFailure: (text) => createFailure('unavailable', text),
    interruptedBy: (text) => interruptedBy(createFailure('unavailable', text)),
    sealFailure: (text) => sealFailure(createFailure('unavailable', text), REDACT),
  },
  'models/src/stream/prompt/media-source.ts': {
    readMediaSource: (text) => [
      readMediaSource({ type: 'file', data: text, mediaType: text }),
      readMediaSource({ type: 'image', image: `data:${text},${text}`, mediaType: 'image/png' }),
    ],
  },
  'models/src/stream/read-failure.ts': {
    readFailure: (text) => [readFailure(text, {}, CLASSIFY), readFailure(new Error(text), {}, CLASSIFY)],
  },
}
