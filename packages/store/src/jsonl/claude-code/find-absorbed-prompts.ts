import { isRecord } from '@longhaul/engine/advanced'
import type { Fields, Line } from '../parse-lines.ts'
import { readString } from '../read-values.ts'
import { textOfContent } from './read-blocks.ts'

/**
 * What a user types while a turn runs is queued and handed to the model inside that turn, and then there is no user
 * line for it: newer versions write a `queued_command` attachment, older ones only say that the queue gave it up.
 * Answers the words by the line at which the model got them.
 */
export function findAbsorbedPrompts(lines: readonly Line[]): ReadonlyMap<Line, unknown> {
  const absorbed = new Map<Line, unknown>()
  const said = new Set<string>()
  for (const line of lines) {
    const prompt = attachedPrompt(line.value)
    if (prompt !== undefined) absorbed.set(line, prompt)
    const spoken = prompt ?? (line.value['type'] === 'user' ? contentOf(line.value) : undefined)
    if (spoken !== undefined) said.add(textOfContent(spoken))
  }
  let waiting: string[] = []
  for (const line of lines) {
    const { type, operation, content, reason } = line.value
    if (type !== 'queue-operation') continue
    if (operation === 'enqueue') waiting = [...waiting, ...sayable(content).filter((text) => !said.has(text))]
    if (operation !== 'remove' || (reason !== undefined && reason !== 'absorbed_mid_turn')) continue
    const text = readString(content) ?? waiting[0]
    waiting = waiting.filter((other) => other !== text)
    if (text !== undefined && isPlain(text) && !said.has(text)) absorbed.set(line, text)
  }
  return absorbed
}

function attachedPrompt({ type, attachment }: Fields): unknown {
  if (type !== 'attachment' || !isRecord(attachment) || attachment['type'] !== 'queued_command') return undefined
  return attachment['prompt'] ?? undefined
}

function contentOf({ message }: Fields): unknown {
  return isRecord(message) ? message['content'] : undefined
}

function sayable(content: unknown): readonly string[] {
  const text = readString(content)
  return text !== undefined && isPlain(text) ? [text] : []
}

/** Slash commands are carried out, not said. */
function isPlain(text: string): boolean {
  return !text.startsWith('/')
}
