import { estimateField } from '../tokens/estimate-message.ts'
import type { Estimator } from '../tokens/estimate-message.ts'
import { detectLanguage, isOtherLanguage } from './detect-language.ts'
import { extractSummary } from './reply/extract-summary.ts'
import { answersTheChat, continuesTheChat, hasToolSyntax, isErrorText } from './reply/reply-signs.ts'

export type SummaryProblem =
  | 'empty'
  | 'cut-off'
  | 'tool-syntax'
  | 'error-text'
  | 'answers-the-chat'
  | 'continues-the-chat'
  | 'wrong-language'
  | 'not-shorter'

export interface WrittenReply {
  readonly text: string
  readonly finish: 'stop' | 'length' | 'tool-calls' | 'other'
}

/** What the summary is held against. */
export interface SummaryMeasure {
  /** What user and assistant wrote, without tool traffic. A summary in neither's language is refused. */
  readonly userText: string
  readonly assistantText: string
  /** The user asked for another language. */
  readonly anyLanguage?: boolean
  /** Tokens of all that the summary replaces, by `estimator`; null: any length will do. */
  readonly replacedTokens: number | null
  /** Tokens the model was given to read; null: even a word will do. */
  readonly readTokens: number | null
  readonly estimator: Estimator
}

export type CheckedSummary =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: SummaryProblem; readonly message: string }

/**
 * Says whether what came back is a summary. The tags it was asked for are not insisted on; prose without them passes if
 * nothing speaks against it. No check looks for what a summary should contain: that is put beside it by code.
 */
export function checkSummary(reply: WrittenReply, measure: SummaryMeasure): CheckedSummary {
  const { text, isTagged, isUnclosed } = extractSummary(reply.text)
  const problem = findProblem(reply, text, { isTagged, isUnclosed }, measure)
  return problem === null ? { ok: true, text } : { ok: false, problem, message: MESSAGES[problem] }
}

const MESSAGES: Readonly<Record<SummaryProblem, string>> = {
  empty: 'The summary says nothing, or next to nothing.',
  'cut-off': 'The summary was cut off before its end. A higher compaction.maxOutputTokens would give it room.',
  'tool-syntax': 'The model called a tool instead of writing a summary.',
  'error-text': 'The reply is an error message, not a summary.',
  'answers-the-chat': 'The model answered the conversation instead of summarising it.',
  'continues-the-chat': 'The model continued the conversation instead of summarising it.',
  'wrong-language': 'The summary is in another language than the conversation.',
  'not-shorter': 'The summary is no shorter than what it would replace.',
}

interface Form {
  readonly isTagged: boolean
  readonly isUnclosed: boolean
}

function findProblem(
  { finish }: WrittenReply,
  text: string,
  form: Form,
  measure: SummaryMeasure,
): SummaryProblem | null {
  if (finish === 'tool-calls') return 'tool-syntax'
  if (finish === 'length' || (form.isUnclosed && finish !== 'stop')) return 'cut-off'
  if (!/[\p{L}\p{N}]/u.test(text) || (!form.isTagged && saysTooLittle(text, measure))) return 'empty'
  if (hasToolSyntax(text)) return 'tool-syntax'
  if (isErrorText(text, form.isTagged)) return 'error-text'
  if (continuesTheChat(text)) return 'continues-the-chat'
  if (answersTheChat(text, form.isTagged)) return 'answers-the-chat'
  if (measure.anyLanguage !== true && isForeign(text, measure)) return 'wrong-language'
  const { replacedTokens, estimator } = measure
  return replacedTokens !== null && estimateField(text, estimator) >= replacedTokens ? 'not-shorter' : null
}

const LONG_READ_TOKENS = 2_000
const MIN_TOKENS = 40

/** A sentence for a long history is the next remark of the conversation, not a summary of it – unless it was tagged as one. */
function saysTooLittle(text: string, { readTokens }: SummaryMeasure): boolean {
  return readTokens !== null && readTokens >= LONG_READ_TOKENS && estimateField(text, 'classes') < MIN_TOKENS
}

function isForeign(text: string, { userText, assistantText }: SummaryMeasure): boolean {
  const written = detectLanguage(text)
  if (written === null || !isOtherLanguage(written, detectLanguage(userText))) return false
  const answered = detectLanguage(assistantText)
  return answered === null || isOtherLanguage(written, answered)
}
