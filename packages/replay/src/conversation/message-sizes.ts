import { estimateMessage, outputText } from '@longhaul/engine/advanced'
import type { Message, Part } from '@longhaul/engine/advanced'
import type { CountTokens } from '@longhaul/models/prices'
import type { Conversation, ReplayMessage } from './conversation.ts'

/** How many tokens things take: by the transcript's own bills where they tell, else counted and scaled by what they taught. */
export interface MessageSizes {
  /** System prompt, tools and whatever else the transcript leaves out, of every request. Of the first part: it does not change. */
  readonly headTokens: number
  /** Bills tell how large things are; else they are counted. */
  readonly isBilled: boolean
  /** A message as it was stored. */
  readonly tokensOfStored: (index: number) => number
  /** Any other message: a summary, a message in a shorter form. */
  readonly tokensOf: (message: Message) => number
  readonly tokensOfText: (text: string) => number
}

/** Sizes of a conversation that may go on in another part. */
export interface OpenSizes extends MessageSizes {
  /** Billed tokens per counted one, in the part at hand. */
  readonly ratio: () => number
  /** Measures the part at hand. */
  readonly addPart: () => void
}

/** What roles, ids and separators take on the wire. */
const MESSAGE_TOKENS = 4
const TOOL_PART_TOKENS = 8
/** Less was billed for a changed prefix; more for reminders that the transcript leaves out, which teach nothing about the count. */
const MIN_SCALE = 0.3
const MAX_SCALE = 4

/**
 * `billed`: what one bill is more than the one before, the messages between took. `counted`: bills tell nothing but what
 * every request has beside its messages; this is how the cache model is checked.
 */
export type SizeSource = 'billed' | 'counted'

export function measureSizes(
  conversation: Conversation,
  countTokens: CountTokens,
  source: SizeSource = 'billed',
): OpenSizes {
  const sizes: number[] = []
  const memo = new WeakMap<readonly Part[], number>()
  let ratio = 1
  const addPart = (): void => {
    const part =
      source === 'billed' ? measurePart(conversation, countTokens, ratio) : countPart(conversation, countTokens)
    ratio = part.ratio
    for (const size of part.sizes) sizes.push(size)
  }
  addPart()
  const { system } = conversation
  const systemTokens = system === null ? 0 : countTokens(system) * ratio
  const unexplained = findUnexplained(conversation, sizes)
  const headTokens = source === 'billed' ? unexplained[0] : median(unexplained)
  return {
    headTokens: Math.round(Math.max(systemTokens, headTokens ?? 0)),
    isBilled: source === 'billed',
    ratio: () => ratio,
    addPart,
    tokensOfStored: (index) => Math.round(sizes[index] ?? 0),
    tokensOf({ role, parts }) {
      const known = memo.get(parts) ?? Math.round(countMessage({ role, parts }, countTokens) * ratio)
      memo.set(parts, known)
      return known
    },
    tokensOfText: (text) => Math.round(countTokens(text) * ratio),
  }
}

function countPart({ messages }: Conversation, countTokens: CountTokens): ReturnType<typeof measurePart> {
  return { sizes: messages.map((message) => countMessage(message, countTokens)), ratio: 1 }
}

/** What each bill has more than its messages, as long as nothing was summarised. */
function findUnexplained({ messages, recorded }: Conversation, sizes: readonly number[]): readonly number[] {
  const end = recorded[0]?.afterMessages ?? Number.POSITIVE_INFINITY
  let before = 0
  return messages.flatMap(({ bill, index }) => {
    const sum = before
    before += sizes[index] ?? 0
    return bill === null || index >= end ? [] : [bill.input - sum]
  })
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** `knownRatio`: what the parts before taught, for a part without bills. */
function measurePart(
  { messages, recorded }: Conversation,
  countTokens: CountTokens,
  knownRatio: number,
): { readonly sizes: readonly number[]; readonly ratio: number } {
  const counts = messages.map((message) => countMessage(message, countTokens))
  const start = messages[0]?.index ?? 0
  const sumCounts = ({ from, to }: Stretch): number =>
    counts.slice(from - start, to - start).reduce((sum, count) => sum + count, 0)
  const stretches = findStretches(
    messages,
    recorded.map(({ afterMessages }) => afterMessages),
  ).map((stretch) => ({ ...stretch, scale: stretch.billedTokens / Math.max(1, sumCounts(stretch)) }))
  const sound = stretches.filter(({ scale }) => scale >= MIN_SCALE && scale <= MAX_SCALE)
  const counted = sound.reduce((sum, stretch) => sum + sumCounts(stretch), 0)
  const ratio = counted === 0 ? knownRatio : sound.reduce((sum, { billedTokens }) => sum + billedTokens, 0) / counted
  const sizes = counts.map((count) => count * ratio)
  for (const { from, to, scale } of stretches) {
    if (scale < MIN_SCALE) continue
    for (let place = from - start; place < to - start; place += 1) sizes[place] = (counts[place] ?? 0) * scale
  }
  return { sizes, ratio }
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
  return parts.reduce((sum, part) => sum + countOnePart(part, countTokens), MESSAGE_TOKENS)
}

function countOnePart(part: Part, countTokens: CountTokens): number {
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
