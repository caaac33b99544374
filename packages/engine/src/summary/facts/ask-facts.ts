import { hasToolCall } from '../../messages/tool-pairs.ts'
import { shortenEnd, shortenMiddle } from '../../messages/shorten.ts'
import type { MessageEntry } from '../../transcript/entry.ts'
import type { AddMention } from './fact-collector.ts'
import { isMachineMade, withoutMachineBlocks, wordsOf } from './message-words.ts'

/** Asks are kept word for word up to this; of longer ones head and tail, and the text says so. */
const MAX_ASK_CHARS = 4_000
const HEAD_CHARS = 2_600
const TAIL_CHARS = 1_300
/** Of the asks between the first and the latest, this much: "no, that's horrible" tells nothing without the sentence after it. */
const MAX_BEGINNING_CHARS = 240
const MIN_BEGINNING_CHARS = 10

/** Said of the latest ask once a reply without further tool calls followed it. */
export const ANSWERED = 'answered'

/** The first and the newest message a person wrote in the span, word for word; of each, how it begins. */
export function collectAsks(entries: readonly MessageEntry[], add: AddMention): void {
  const asks = entries.filter((entry) => entry.role === 'user' && askText(entry) !== '')
  const [first] = asks
  const latest = asks.at(-1)
  if (first === undefined || latest === undefined) return
  add({ kind: 'first-ask', text: shortenAsk(askText(first)), by: 'user', entry: first })
  const note = isAnswered(entries.slice(entries.indexOf(latest) + 1)) ? ANSWERED : undefined
  add({
    kind: 'latest-ask',
    text: shortenAsk(askText(latest)),
    ...(note === undefined ? {} : { note }),
    by: 'user',
    entry: latest,
  })
  for (const entry of asks) {
    const text = shortenEnd(askText(entry).replace(/\s+/g, ' '), MAX_BEGINNING_CHARS - 1)
    if (isTelling(text)) add({ kind: 'ask', text, by: 'user', entry })
  }
}

/** Answered means: the last thing the assistant did was to reply, not to call a tool or to be cut off. */
export function isAnswered(after: readonly MessageEntry[]): boolean {
  const last = after.findLast((entry) => entry.role !== 'user')
  if (last?.role !== 'assistant' || hasToolCall(last)) return false
  if (last.finish === 'aborted' || last.finish === 'error') return false
  return last.parts.some((part) => part.type === 'text' && part.text.trim() !== '')
}

/** What a person typed in this message, without secrets; empty where a program wrote it. */
export function askText(entry: MessageEntry): string {
  const text = wordsOf(entry)
  return isMachineMade(text) ? '' : withoutMachineBlocks(text).trim()
}

/** "yes", "go on" and "continue" tell nothing by themselves. */
function isTelling(text: string): boolean {
  return text.length >= MIN_BEGINNING_CHARS || /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{5}/.test(text)
}

function shortenAsk(text: string): string {
  return shortenMiddle(text, MAX_ASK_CHARS, HEAD_CHARS, TAIL_CHARS)
}
