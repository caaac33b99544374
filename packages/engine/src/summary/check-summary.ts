import { estimateField } from '../tokens/estimate-message.ts'
import type { Estimator } from '../tokens/estimate-message.ts'
import { detectLanguage, isOtherLanguage } from './detect-language.ts'
import { extractSummary } from './reply/extract-summary.ts'
import { answersTheChat, continuesTheChat, hasToolSyntax, isErrorText } from './reply/reply-signs.ts'

export type SummaryProblem =
  | 'empty'
  | 'too-short'
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
  | {
      readonly ok: false
      readonly problem: SummaryProblem
      readonly message: string
      /** A real summary all the same: short, cut off or in another language. It says more than a trim would keep. */
      readonly usable?: string
    }

/**
 * Says whether what came back is a summary. The tags it was asked for are not insisted on; prose without them passes if
 * nothing speaks against it. No check looks for what a summary should contain: that is put beside it by code.
 */
export function checkSummary(reply: WrittenReply, measure: SummaryMeasure): CheckedSummary {
  const { text, isTagged, isUnclosed } = extractSummary(reply.text)
  const isCut = reply.finish === 'length' || (isUnclosed && reply.finish !== 'stop')
  const form = { isTagged, isCut }
  const failure = reply.finish === 'tool-calls' ? 'tool-syntax' : findFailure(text, form, measure)
  if (failure !== null) return { ok: false, problem: failure, message: MESSAGES[failure] }
  const weakness = findWeakness(text, form, measure)
  if (weakness === null) return { ok: true, text }
  const usable = isCut ? takeWhole(text) : text
  return { ok: false, problem: weakness, message: MESSAGES[weakness], ...(usable === '' ? {} : { usable }) }
}

const MESSAGES: Readonly<Record<SummaryProblem, string>> = {
  empty: 'The summary says nothing.',
  'too-short': 'The summary says next to nothing.',
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
  /** The output limit, or the connection, ended it. */
  readonly isCut: boolean
}

/** Problems that make a reply useless: it is empty, it is something else than a summary, or it frees nothing. */
function findFailure(text: string, { isTagged, isCut }: Form, measure: SummaryMeasure): SummaryProblem | null {
  if (!/[\p{L}\p{N}]/u.test(text)) return isCut ? 'cut-off' : 'empty'
  if (hasToolSyntax(text)) return 'tool-syntax'
  if (isErrorText(text, isTagged)) return 'error-text'
  if (continuesTheChat(text)) return 'continues-the-chat'
  if (answersTheChat(text, isTagged)) return 'answers-the-chat'
  const { replacedTokens, estimator } = measure
  return replacedTokens !== null && estimateField(text, estimator) >= replacedTokens ? 'not-shorter' : null
}

/** Problems worth another try, but not worth losing the summary for. */
function findWeakness(text: string, { isTagged, isCut }: Form, measure: SummaryMeasure): SummaryProblem | null {
  if (isCut) return 'cut-off'
  if (!isTagged && saysTooLittle(text, measure)) return 'too-short'
  return measure.anyLanguage !== true && isForeign(text, measure) ? 'wrong-language' : null
}

/** Up to the last line that is complete, or else the last sentence: half a line could change the meaning of a note. */
function takeWhole(text: string): string {
  const line = text.lastIndexOf('\n')
  if (line >= 0) return text.slice(0, line).trim()
  return /^.*[.!?。！？]/u.exec(text)?.[0] ?? ''
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
