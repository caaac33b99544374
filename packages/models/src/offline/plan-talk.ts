import type { LanguageModelV4FunctionTool, LanguageModelV4ToolChoice } from '@ai-sdk/provider'
import type { MessageEntry } from '@longhaul/engine/advanced'
import { chooseQuotes } from './answering/choose-quotes.ts'
import { readQuestions } from './answering/read-questions.ts'
import type { Question } from './answering/read-questions.ts'
import { readSmallTalk } from './answering/read-small-talk.ts'
import { findPaths } from './calling/find-paths.ts'
import { planCalls } from './calling/plan-calls.ts'
import { readToolAsks } from './calling/read-tool-asks.ts'
import type { ToolAsk } from './calling/tool-ask.ts'
import type { Answer, OfflinePlan } from './offline-plan.ts'
import type { Conversation, Passage } from './reading/read-conversation.ts'
import { termsOf } from './reading/terms.ts'
import { createEntry, toEntries } from './summarising/create-entry.ts'
import { planRecap } from './summarising/plan-summary.ts'

type Tools = readonly LanguageModelV4FunctionTool[]

/** What to do about a message of somebody who talks to the model: call, answer, report, or say what it can and cannot do. */
export function planTalk(conversation: Conversation, tools: Tools, choice?: LanguageModelV4ToolChoice): OfflinePlan {
  const { ask, uses, hasUnreadable } = conversation
  const toolNames = tools.map(({ name }) => name)
  const { asks, rest } = readToolAsks(ask, toolNames)
  const { calls, unmet } = planCalls([...asks, ...forcedAsks(asks, choice, conversation, toolNames)], tools, uses)
  if (calls.length > 0) return { kind: 'call-tools', calls }

  const talk = readSmallTalk(ask)
  if (talk === 'recap') return { kind: 'text', text: planRecap(materialOf(conversation)) }
  if (talk === 'introduce') return { kind: 'introduce', toolNames }

  const questions = readQuestions(asks.length > 0 ? rest : ask)
  if (questions.length > 0) return planAnswers(questions, conversation, tools)
  if (uses.some(({ result }) => result !== null)) return report(conversation)
  if (unmet.some((unmetAsk) => unmetAsk.kind === 'named' || unmetAsk.intent !== 'remember'))
    return { kind: 'remark', remark: 'no-tool' }
  if (ask.trim() === '') return { kind: 'remark', remark: hasUnreadable ? 'cannot-see' : 'nothing-said' }
  return { kind: 'remark', remark: talk ?? 'noted' }
}

/** A shorter message only says that a recap is wanted; a longer one brings what it is to be of. */
const MIN_MATERIAL_CHARS = 300

/** What came back from tools, what the message itself brings, or the conversation so far. */
function materialOf({ ask, uses, passages }: Conversation): readonly MessageEntry[] {
  const brought = uses.flatMap(({ result }) => (result === null ? [] : [result.text]))
  const texts = brought.length > 0 ? brought : ask.length >= MIN_MATERIAL_CHARS ? [ask] : []
  if (texts.length === 0) return toEntries(passages.filter(({ text }) => text !== ask))
  return texts.map((text, index) => createEntry(index, 'user', [{ type: 'text', text }]))
}

/** Where the caller insists on a call and the words ask for none. */
function forcedAsks(
  asks: readonly ToolAsk[],
  choice: LanguageModelV4ToolChoice | undefined,
  { ask, uses }: Conversation,
  toolNames: readonly string[],
): readonly ToolAsk[] {
  const isForced = choice?.type === 'required' || choice?.type === 'tool'
  if (!isForced || asks.length > 0 || uses.length > 0) return []
  return toolNames.slice(0, 1).map((toolName) => ({ kind: 'named', toolName, input: {}, words: ask.trim() }))
}

/** Quotes for every question; where one has none, whatever tool may know is asked first, once. */
function planAnswers(questions: readonly Question[], conversation: Conversation, tools: Tools): OfflinePlan {
  const { passages, uses } = conversation
  const answers = questions.map((question) => answer(question, passages))
  const unanswered = questions.filter((_, index) => answers[index]?.quotes.length === 0)
  const { calls } = planCalls(
    unanswered.flatMap((question) => lookupAsks(question, tools)),
    tools,
    uses,
  )
  if (calls.length > 0) return { kind: 'call-tools', calls }
  const isOnFile = unanswered.length > 0 && unanswered.every(({ text }) => findPaths(text).length > 0)
  if (isOnFile && uses.some(({ result }) => result?.isError === false)) return report(conversation)
  return { kind: 'answer', answers, searched: [...new Set(uses.map(({ toolName }) => toolName))] }
}

/** What came back for this very question is looked at first. */
function answer(question: Question, passages: readonly Passage[]): Answer {
  const brought = passages.filter(({ isNew, origin }) => isNew && origin === 'tool')
  const found = chooseQuotes(question, brought)
  const quotes = found.length > 0 ? found : chooseQuotes(question, passages)
  return {
    question: question.text,
    quotes: quotes.map(({ sentence, passage }) => ({ text: withoutBullet(sentence.text), source: sourceOf(passage) })),
  }
}

function withoutBullet(line: string): string {
  return line.replace(/^(?:[-*+•]|\d{1,3}[.)])\s+(?=\S)/, '')
}

/** A file that the question names is read; anything else may stand in what left the context, or in memory. */
function lookupAsks({ text, terms }: Question, tools: Tools): readonly ToolAsk[] {
  const query = keyWordsOf(text)
  if (terms.length === 0 || query === '') return []
  const files = findPaths(text).map((path): ToolAsk => ({ kind: 'intent', intent: 'read-file', slots: { path } }))
  if (planCalls(files, tools, []).calls.length > 0) return files
  return [
    { kind: 'intent', intent: 'recall', slots: { query } },
    { kind: 'intent', intent: 'search-memory', slots: { query } },
  ]
}

/** The words of a question that carry it, as they were written. */
function keyWordsOf(question: string): string {
  return question
    .split(/[\s?？!.,;:"“”()]+/)
    .filter((word) => termsOf(word).length > 0)
    .join(' ')
}

function report({ uses }: Conversation): OfflinePlan {
  const reports = uses.flatMap(({ toolName, result }) => (result === null ? [] : [{ toolName, ...result }]))
  return { kind: 'report', reports }
}

function sourceOf({ origin, toolName }: Passage): string {
  switch (origin) {
    case 'user':
      return 'your message'
    case 'summary':
      return 'the summary'
    case 'pin':
      return 'a pinned note'
    case 'tool':
      return `the result of ${toolName ?? 'a tool'}`
    case 'assistant':
      return toolName === null ? 'an earlier answer' : `a call of ${toolName}`
    case 'system':
      return 'the system prompt'
    default:
      return origin satisfies never
  }
}
