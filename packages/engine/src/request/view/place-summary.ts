import type { CompactionPolicy } from '../../policy/policy.ts'
import { renderSummary } from '../../summary/render-summary.ts'
import type { Message } from '../../transcript/message.ts'
import type { SummaryDocument } from '../../transcript/summary-document.ts'
import type { Pin } from '../fold/state.ts'

export type Placement = CompactionPolicy['placement']

/** What stands where a system prompt would, when there is none and the summary is placed before it. */
const CONTINUE = 'Continue the conversation based on the summary above.'

/** Added after a summary in the first user message where the next message is the user's too. */
export const ACKNOWLEDGEMENT = 'Understood. Continuing with the current task.'

/** The summary in the words its placement fixes. The texts of the seeds' placements are kept to the letter. */
function placeSummary(summary: string, placement: Placement): string {
  switch (placement) {
    case 'system-prompt':
      return `Previous conversation summary:\n${summary}\n\n---`
    case 'first-user-message':
      return `[CONTEXT SUMMARY]\n${summary}\n[END CONTEXT SUMMARY]`
    case 'system-message':
      return `[Session compacted. Summary of prior conversation:]\n\n${summary}`
    case 'own-message':
      return `[Summary of the conversation so far. The messages it covers are not shown; what follows it is the conversation itself.]\n\n${summary}`
    default:
      return placement satisfies never
  }
}

/** System text with what is placed before it: a summary, and pins whose place it covers. */
export function joinSystem(
  before: readonly { readonly kind: string; readonly text: string }[],
  system: string | null,
): string | null {
  if (before.length === 0) return system
  const rest = system ?? (before.some(({ kind }) => kind === 'summary') ? CONTINUE : null)
  return [...before.map(({ text }) => text), ...(rest === null ? [] : [rest])].join('\n\n')
}

interface Rendered {
  readonly placement: Placement
  readonly note: string | null
  readonly message: Message
}

const memo = new WeakMap<SummaryDocument, Rendered>()

/** The summary as it is sent; null if there is nothing to say. Remembered per document: it stays the same for many requests. */
export function renderSummaryMessage(
  document: SummaryDocument | null,
  note: string | null,
  placement: Placement,
): Message | null {
  const known = document === null ? undefined : memo.get(document)
  if (known?.placement === placement && known.note === note) return known.message
  const text = [document === null ? '' : renderSummary(document), note ?? ''].filter((part) => part !== '').join('\n\n')
  if (text === '') return null
  const message: Message = { role: 'user', parts: [{ type: 'text', text: placeSummary(text, placement) }] }
  if (document !== null) memo.set(document, { placement, note, message })
  return message
}

export function renderPin({ text }: Pick<Pin, 'text'>): string {
  return `[Pinned by the user; it stays in force]\n${text}`
}

/** Pins whose place in the conversation has been summarised stand together beside the summary. */
export function renderPins(pins: readonly Pick<Pin, 'text'>[]): string {
  return ['[Pinned by the user; these stay in force]', ...pins.map(({ text }, index) => `${index + 1}. ${text}`)].join(
    '\n',
  )
}
