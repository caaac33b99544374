import type { AnswerRow } from '../../session/row.ts'

/** Whether something to copy has been said; a step that calls tools is on its way to an answer. */
export function hasFooter({ ending, parts }: AnswerRow): boolean {
  return (
    ending === 'complete' &&
    parts.some((part) => part.type === 'text' && part.text !== '') &&
    !parts.some(({ type }) => type === 'tool-call')
  )
}
