import type { CompactionPolicy } from '../policy/policy.ts'

/** What a compaction writes to the log: the same facts as numbers for programs and as a sentence for people. */
export type CompactionLogLine = CompactionStartLine | CompactionEndLine | CompactionFailureLine

export interface CompactionStartLine {
  readonly level: 'info'
  readonly event: 'compaction-start'
  readonly message: string
  readonly estimateTokens: number
  readonly thresholdTokens: number
  readonly messages: number
}

export interface CompactionEndLine {
  readonly level: 'info'
  readonly event: 'compaction-end'
  readonly message: string
  readonly messages: number
  readonly summaryTokens: number
  readonly freedTokens: number
}

export interface CompactionFailureLine {
  readonly level: 'warn'
  readonly event: 'compaction-failure'
  readonly message: string
  readonly problem: string
  readonly attempt: number
  readonly attempts: number
  readonly instead: Instead
}

/** What happens after a failure. */
type Instead = 'retry' | 'weak-summary' | CompactionPolicy['fallback']

export function describeStart(
  numbers: Pick<CompactionStartLine, 'estimateTokens' | 'thresholdTokens' | 'messages'>,
): CompactionStartLine {
  const { estimateTokens, thresholdTokens, messages } = numbers
  const message = `Compaction: about ${grouped(estimateTokens)} tokens against a threshold of ${grouped(thresholdTokens)}; summarising ${countMessages(messages)}`
  return { level: 'info', event: 'compaction-start', message, estimateTokens, thresholdTokens, messages }
}

export function describeEnd(
  numbers: Pick<CompactionEndLine, 'messages' | 'summaryTokens' | 'freedTokens'>,
): CompactionEndLine {
  const { messages, summaryTokens, freedTokens } = numbers
  const message = `Compaction: ${countMessages(messages)} became about ${grouped(summaryTokens)} tokens of summary; about ${grouped(freedTokens)} tokens are free again`
  return { level: 'info', event: 'compaction-end', message, messages, summaryTokens, freedTokens }
}

export function describeFailure(
  facts: Pick<CompactionFailureLine, 'problem' | 'attempt' | 'attempts' | 'instead'>,
): CompactionFailureLine {
  const { problem, attempt, attempts, instead } = facts
  const tries = attempts > 1 ? ` (attempt ${attempt} of ${attempts})` : ''
  const reason = problem.replace(/(?<![\s.])[\s.]+$/, '')
  const message = `Compaction failed${tries}: ${reason}. ${INSTEAD[instead]}`
  return { level: 'warn', event: 'compaction-failure', message, problem, attempt, attempts, instead }
}

const INSTEAD: Readonly<Record<Instead, string>> = {
  retry: 'Trying again.',
  'weak-summary': 'Using that summary all the same: it says more than a trim would keep.',
  'trim-oldest': 'Leaving the oldest messages out of the request instead.',
  'trim-count': 'Trimming the history to its newest messages instead.',
  extractive: 'Using a summary taken from the messages by rules instead.',
}

function countMessages(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'message' : 'messages'}`
}

function grouped(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
