import type { Part } from '../../transcript/message.ts'
import type { Draft } from './draft.ts'
import type { Repair } from './sealed-request.ts'

const EARLIER = '[The conversation goes on from here.]'
/** Stands at the end of one request only: the answer to it takes its place. */
const GO_ON = 'Continue.'

export function isContinuation({ kind, detail }: Repair): boolean {
  return kind === 'message-added' && detail === GO_ON
}

/**
 * Drops empty messages, joins neighbours of one role, and makes the list start with the user and end with a message the
 * model can answer. Tool messages already stand right behind their call.
 */
export function sealRoles(drafts: readonly Draft[], repairs: Repair[]): readonly Draft[] {
  const sealed: Draft[] = []
  for (const draft of drafts) {
    const filled = dropEmptyParts(draft)
    if (filled === null) {
      repairs.push({ kind: 'empty-dropped', detail: draft.role })
      continue
    }
    const last = sealed.at(-1)
    if (last === undefined || last.role !== filled.role) sealed.push(filled)
    else {
      repairs.push({ kind: 'messages-joined', detail: filled.role })
      sealed[sealed.length - 1] = { ...last, parts: [...last.parts, ...filled.parts] }
    }
  }
  if (sealed[0]?.role === 'assistant') sealed.unshift(addedMessage(EARLIER, repairs))
  const last = sealed.at(-1)
  if (last === undefined || last.role === 'assistant') sealed.push(addedMessage(GO_ON, repairs))
  return sealed
}

function dropEmptyParts(draft: Draft): Draft | null {
  const parts = draft.parts.some(isEmpty) ? draft.parts.filter((part) => !isEmpty(part)) : draft.parts
  if (parts.every((part) => part.type === 'reasoning')) return null
  return parts === draft.parts ? draft : { ...draft, parts }
}

function isEmpty(part: Part): boolean {
  return (
    (part.type === 'text' && part.text.trim() === '') ||
    (part.type === 'reasoning' && part.text === '' && part.providerOptions === undefined)
  )
}

function addedMessage(text: string, repairs: Repair[]): Draft {
  repairs.push({ kind: 'message-added', detail: text })
  return { role: 'user', kind: 'user', place: 'message', parts: [{ type: 'text', text }] }
}
