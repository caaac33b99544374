import { hasToolCall } from '../messages/tool-pairs.ts'
import type { MessageEntry } from '../transcript/entry.ts'
import type { SummaryItem } from '../transcript/summary-document.ts'
import { askText } from './facts/ask-facts.ts'
import { pickSentences, scoreSentence } from './facts/informative-sentences.ts'
import { writtenPart } from './facts/instruction-facts.ts'
import { proseOf, wordsOf } from './facts/message-words.ts'
import { redactSecrets } from './redact-secrets.ts'

const ASK_CHARS = 220
const REPLY_CHARS = 260
const STEP_CHARS = 160
/** What the assistant says between two tool calls is worth a line only if it reports something. */
const MIN_STEP_SCORE = 2.5
const ID = /^([arst])(\d+)$/

/** What happened, message by message, in the words of whoever spoke; `a` asks, `r` replies, `s` steps in between. */
export function createTimeline(entries: readonly MessageEntry[]): readonly SummaryItem[] {
  const lastSettling = entries.findLastIndex(settlesAsks)
  return entries.flatMap((entry, index) => {
    if (entry.role === 'user') return createAsk(entry, index >= lastSettling)
    if (entry.role !== 'assistant') return []
    return hasToolCall(entry) || entries[index + 1]?.role === 'assistant' ? createStep(entry) : createReply(entry)
  })
}

/** Asks and replies over steps, telling over idle, new over old: an item loses a point each time its age doubles. */
export function scoreTimelineItem({ id, text }: SummaryItem, newestSeq: number): number {
  const [, kind = '', seq = '0'] = ID.exec(id) ?? []
  const age = Math.log2(1 + Math.max(0, newestSeq - Number(seq)) / 16)
  return (
    (KIND_POINTS[kind] ?? 0) +
    scoreSentence(text.replace(/^\w+: /, ''), kind === 'a' ? 'user' : 'assistant') -
    AGE_POINTS * age
  )
}

const KIND_POINTS: Readonly<Record<string, number>> = { a: 3, r: 1.5, s: 0 }
const AGE_POINTS = 0.4

export function timelineSeq({ id }: SummaryItem): number {
  return Number(ID.exec(id)?.[2] ?? 0)
}

function createAsk(entry: MessageEntry, isOpen: boolean): readonly SummaryItem[] {
  const picked = pickSentences(writtenPart(proseOf(askText(entry))), ASK_CHARS, 'user')
  if (picked === null || (picked.score <= 0 && !isOpen)) return []
  return [createItem(`a${entry.seq}`, `User: ${picked.text}`, entry, isOpen ? 'open' : 'done')]
}

function createReply(entry: MessageEntry): readonly SummaryItem[] {
  const picked = pickSentences(proseOf(wordsOf(entry)), REPLY_CHARS, 'assistant')
  return picked === null || picked.score <= 0
    ? []
    : [createItem(`r${entry.seq}`, `Assistant: ${picked.text}`, entry, 'done')]
}

function createStep(entry: MessageEntry): readonly SummaryItem[] {
  const picked = pickSentences(proseOf(wordsOf(entry)), STEP_CHARS, 'assistant')
  return picked === null || picked.score < MIN_STEP_SCORE
    ? []
    : [createItem(`s${entry.seq}`, picked.text, entry, 'done')]
}

function createItem(id: string, text: string, entry: MessageEntry, status: SummaryItem['status']): SummaryItem {
  return { id, text: redactSecrets(text), sources: [entry.id], status }
}

/** Another ask, or a reply: what was asked before it is no longer the open one. */
function settlesAsks(entry: MessageEntry): boolean {
  return entry.role === 'user' || (entry.role === 'assistant' && !hasToolCall(entry))
}
