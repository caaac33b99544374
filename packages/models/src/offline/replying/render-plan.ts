import type { JsonObject } from '@longhaul/engine/advanced'
import { sliceHead } from '@longhaul/engine/advanced'
import type { Answer, OfflinePlan, ToolReport } from '../offline-plan.ts'
import { INTRODUCTION, NOTE, NOT_IN_CONTEXT, REMARKS } from '../own-words.ts'

/** What is sent: words, or calls, never both. */
export interface OfflineReply {
  readonly text: string
  readonly calls: readonly { readonly toolName: string; readonly input: JsonObject }[]
}

const MAX_REPORT_CHARS = 1_500

/** A plan in words. The first answer of a conversation says what it comes from. */
export function renderPlan(plan: OfflinePlan, { isFirstAnswer }: { readonly isFirstAnswer: boolean }): OfflineReply {
  const note = isFirstAnswer ? `${NOTE}\n\n` : ''
  switch (plan.kind) {
    case 'call-tools':
      return { text: '', calls: plan.calls }
    case 'text':
      return { text: plan.text, calls: [] }
    case 'introduce':
      return { text: introduce(plan.toolNames), calls: [] }
    case 'remark':
      return { text: note + REMARKS[plan.remark], calls: [] }
    case 'answer':
      return { text: note + renderAnswers(plan.answers, plan.searched), calls: [] }
    case 'report':
      return { text: note + plan.reports.map(renderReport).join('\n\n'), calls: [] }
    default:
      return plan satisfies never
  }
}

function introduce(toolNames: readonly string[]): string {
  if (toolNames.length === 0) return INTRODUCTION
  return `${INTRODUCTION} I can call ${toolNames.join(', ')} when you ask plainly, as in "read notes.txt".`
}

/** What was found first, then what was not. */
function renderAnswers(answers: readonly Answer[], searched: readonly string[]): string {
  const quotes = Map.groupBy(
    answers.flatMap((answer) => answer.quotes),
    ({ source }) => source,
  )
  const found = [...quotes].map(
    ([source, group]) => `From ${source}:\n${[...new Set(group.map(({ text }) => quote(text)))].join('\n')}`,
  )
  const also = searched.length === 0 ? '' : ` ${searched.join(' and ')} found nothing that fits either.`
  const missing = answers
    .filter((answer) => answer.quotes.length === 0)
    .map(({ question }) => `${NOT_IN_CONTEXT}${answers.length === 1 ? '' : ` (${question})`}${also}`)
  return [...found, ...missing].join('\n\n')
}

function renderReport({ toolName, isError, text }: ToolReport): string {
  const shown = sliceHead(text.trim(), MAX_REPORT_CHARS)
  const left = text.trim().length - shown.length
  const verb = isError ? 'failed' : 'answered'
  if (shown === '') return `${toolName} ${verb} without a word.`
  return `${toolName} ${verb}:\n${quote(shown)}${left > 0 ? `\n(${left} more characters)` : ''}`
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}
