import { isRecord, textOf } from '@longhaul/engine/advanced'
import type { Fields } from '@longhaul/store/jsonl'
import { readCodexItem } from './read-codex-item.ts'
import { textOfSaid } from './said.ts'
import type { Said, SaidMessage } from './said.ts'

/** Newer versions keep the summary as an answer as well, which nobody got to see. */
export function takeSummary(said: Said[], summary: string): SaidMessage | undefined {
  const last = said.at(-1)
  if (last?.type !== 'message' || last.by !== 'assistant') return undefined
  const text = textOfSaid(last)
  if (text === '' || !summary.includes(text)) return undefined
  said.pop()
  return last
}

/** The list that takes the place of all that was said. Newer versions point at items that stand above. */
function readHistory(payload: Fields): readonly Fields[] {
  const { replacement_history: history, replacement_history_entries: entries } = payload
  if (Array.isArray(history)) return history.filter(isRecord)
  if (!Array.isArray(entries)) return []
  return entries
    .filter(isRecord)
    .map((entry) => (isRecord(entry['item']) ? entry['item'] : { type: 'reference', id: entry['item_id'] }))
}

interface Kept {
  readonly kept: readonly SaidMessage[]
  readonly putBack: readonly string[]
}

/** Finds the messages that Codex kept, by id or by exact text. Other texts, such as a cut message, go to `putBack`. */
export function findKept(payload: Fields, said: readonly Said[], summary: string): Kept {
  const messages = said.filter((each) => each.type === 'message')
  const byId = new Map(messages.flatMap((message) => [...message.itemIds].map((id) => [id, message] as const)))
  const byText = new Map(messages.filter(({ by }) => by === 'user').map((message) => [textOfSaid(message), message]))
  const kept = new Set<SaidMessage>()
  const putBack: string[] = []
  for (const value of readHistory(payload)) {
    const item = readCodexItem(value, new Map())
    const text = item === null ? '' : item.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const found = byId.get(textOf(value['id'])) ?? (item?.by === 'user' ? byText.get(text) : undefined)
    if (found !== undefined) kept.add(found)
    else if (text !== '' && text !== summary) putBack.push(text)
  }
  return { kept: messages.filter((message) => kept.has(message)), putBack }
}
