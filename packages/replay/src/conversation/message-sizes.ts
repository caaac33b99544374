import { estimateMessage, outputText } from '@longhaul/engine'
import type { Message, Part } from '@longhaul/engine'
import type { CountTokens } from '@longhaul/models/prices'
import type { Conversation, ReplayMessage } from './conversation.ts'

/** How many tokens things take: by the transcript's own bills where they tell, else counted and scaled by what they taught. */
export interface MessageSizes {
  /** System prompt, tools and whatever else the transcript leaves out, of every request. */
  readonly headTokens: number
  /** Billed tokens per counted one. */
  readonly ratio: number
  /** A message as it was stored. */
  readonly tokensOfStored: (index: number) => number
  /** Any other message: a summary, a message in a shorter form. */
  readonly tokensOf: (message: Message) => number
  readonly tokensOfText: (text: string) => number
}

/** What roles, ids and separators take on the wire. */
const MESSAGE_TOKENS = 4
const TOOL_PART_TOKENS = 8
/** Less was billed for a changed prefix; more for reminders that the transcript leaves out, which teach nothing about the count. */
const MIN_SCALE = 0.3
const MAX_SCALE = 4

export function measureSizes({ messages, recorded, system }: Conversation, countTokens: CountTokens): MessageSizes {
  const counts = messages.map((message) => countMessage(message, countTokens))
  const sumCounts = (from: number, to: number): number => counts.slice(from, to).reduce((sum, count) => sum + count, 0)
  const stretches = findStretches(
    messages,
    recorded.map(({ afterMessages }) => afterMessages),
  ).map((stretch) => ({ ...stretch, scale: stretch.billedTokens / Math.max(1, sumCounts(stretch.from, stretch.to)) }))
  const sound = stretches.filter(({ scale }) => scale >= MIN_SCALE && scale <= MAX_SCALE)
  const counted = sound.reduce((sum, { from, to }) => sum + sumCounts(from, to), 0)
  const ratio = counted === 0 ? 1 : sound.reduce((sum, { billedTokens }) => sum + billedTokens, 0) / counted
  const sizes = counts.map((count) => count * ratio)
  for (const { from, to, scale } of stretches) {
    if (scale < MIN_SCALE) continue
    for (let index = from; index < to; index += 1) sizes[index] = (counts[index] ?? 0) * scale
  }
  const first = messages.find(({ bill }) => bill !== null)
  const before = first === undefined ? 0 : sizes.slice(0, first.index).reduce((sum, size) => sum + size, 0)
  const systemTokens = system === null ? 0 : countTokens(system) * ratio
  const memo = new WeakMap<readonly Part[], number>()
  const tokensOf = ({ role, parts }: Message): number => {
    const known = memo.get(parts) ?? Math.round(countMessage({ role, parts }, countTokens) * ratio)
    memo.set(parts, known)
    return known
  }
  return {
    headTokens: Math.round(Math.max(systemTokens, (first?.bill?.input ?? 0) - before)),
    ratio,
    tokensOfStored: (index) => Math.round(sizes[index] ?? 0),
    tokensOf,
    tokensOfText: (text) => Math.round(countTokens(text) * ratio),
  }
}

interface Stretch {
  readonly from: number
  readonly to: number
  readonly billedTokens: number
}

/** From one billed answer to the next: what the second bill is more than the first, these messages took. */
function findStretches(messages: readonly ReplayMessage[], breaks: readonly number[]): readonly Stretch[] {
  const billed = messages.filter(({ bill }) => bill !== null)
  return billed.slice(1).flatMap((answer, place) => {
    const before = billed[place]
    if (before === undefined || breaks.some((at) => at > before.index && at <= answer.index)) return []
    return [
      {
        from: before.index,
        to: answer.index,
        billedTokens: (answer.bill?.input ?? 0) - (before.bill?.input ?? 0),
      },
    ]
  })
}

function countMessage({ parts }: Message, countTokens: CountTokens): number {
  return parts.reduce((sum, part) => sum + countPart(part, countTokens), MESSAGE_TOKENS)
}

function countPart(part: Part, countTokens: CountTokens): number {
  switch (part.type) {
    case 'text':
      return countTokens(part.text)
    case 'tool-call':
      return TOOL_PART_TOKENS + countTokens(part.toolName) + countTokens(JSON.stringify(part.input))
    case 'tool-result':
      return TOOL_PART_TOKENS + countTokens(outputText(part.output)) + countMedia(part.output)
    case 'image':
    case 'file':
      return estimateMessage({ role: 'user', parts: [part] }, 'classes')
    case 'reasoning':
      return 0
    default:
      return part satisfies never
  }
}

function countMedia(output: Extract<Part, { type: 'tool-result' }>['output']): number {
  if (typeof output === 'string') return 0
  const media = output.filter(({ type }) => type !== 'text')
  return media.length === 0 ? 0 : estimateMessage({ role: 'user', parts: media }, 'classes')
}
