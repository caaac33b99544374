import type { Compaction, Message } from '@longhaul/protocol'
import { createAskedRow, createLiveAnswer, createStoredAnswer, readResults } from './create-rows.ts'
import type { CallStates } from './create-rows.ts'
import { findRunningTurn } from './conversation.ts'
import type { Card, Conversation, LiveTurn } from './conversation.ts'
import { countSteps } from './live-steps.ts'
import type { Row } from './row.ts'

type Settled = Pick<Conversation, 'messages' | 'hasOlder' | 'compactions' | 'cards'>

/** Every turn but the last stored one: rows that change only when messages are loaded. */
export function listSettledRows({ messages, hasOlder, compactions, cards }: Settled): readonly Row[] {
  const settled = messages.slice(0, findLastTurn(messages))
  const states: CallStates = { stored: readResults(settled), live: {}, approvals: [], isRunning: false }
  const first = hasOlder ? (settled[0]?.at ?? 0) : Number.NEGATIVE_INFINITY
  const last = settled.at(-1)?.at ?? Number.NEGATIVE_INFINITY
  const within = compactions.filter(({ at }) => at >= first && at <= last)
  return [...listCards(cards, null), ...listStored(settled, { compactions: within, cards, heard: cards, states })]
}

/** The last stored turn, what is live, and what waits. */
export function listRecentRows(conversation: Conversation): readonly Row[] {
  const { messages, turns, waiting, approvals, cards } = conversation
  const begin = findLastTurn(messages)
  const recent = messages.slice(begin)
  const isWorking = isAnswerUnderWay(conversation)
  const stored = readResults(recent)
  const states: CallStates = { stored, live: conversation.results, approvals, isRunning: isWorking }
  const before = messages[begin - 1]?.at ?? (conversation.hasOlder ? (recent[0]?.at ?? 0) : Number.NEGATIVE_INFINITY)
  const liveIds = new Set(turns.map(({ turnId }) => turnId))
  const said = [
    ...listStored(recent, {
      compactions: conversation.compactions.filter(({ at }) => at > before),
      cards: cards.filter(({ turnId }) => turnId !== null && !liveIds.has(turnId)),
      heard: cards,
      states,
    }),
    ...turns.flatMap((turn) => [...listLive(turn, recent, states), ...listCards(cards, turn.turnId)]),
  ]
  const [next, ...later] = waiting
  const isNextBegun = next !== undefined && next.state !== 'failed' && findRunningTurn(conversation) === null
  return [
    ...said,
    ...(isNextBegun ? [createAskedRow(next)] : []),
    ...(isWorking && (isNextBegun || !isSomethingMoving(said)) ? [{ kind: 'working', key: 'working' } as const] : []),
    ...(isNextBegun ? later : waiting).map((message) => ({ kind: 'waiting', key: message.id, message }) as const),
  ]
}

/** Whether the model owes an answer, as far as this page can tell. */
export function isAnswerUnderWay(conversation: Conversation): boolean {
  const { messages, turns, waiting } = conversation
  const running = findRunningTurn(conversation)
  if (running !== null && !isAnswerStored(messages.slice(findLastTurn(messages)), running.turnId)) return true
  if (waiting.some(({ state }) => state !== 'failed')) return true
  const lastTurn = messages.slice(findLastTurn(messages))
  return turns.length === 0 && lastTurn[0]?.owed === true && !hasAnswer(lastTurn)
}

/** The answer may be loaded before the event that tells of it. */
function isAnswerStored(lastTurn: readonly Message[], turnId: string): boolean {
  return lastTurn[0]?.id === turnId && hasAnswer(lastTurn)
}

function hasAnswer(lastTurn: readonly Message[]): boolean {
  const last = lastTurn.at(-1)
  return last?.role === 'assistant' && !last.parts.some(({ type }) => type === 'tool-call')
}

/** Text that grows and calls that run say by themselves that work goes on. */
function isSomethingMoving(rows: readonly Row[]): boolean {
  const last = rows.findLast(({ kind }) => kind === 'answer' || kind === 'asked')
  if (last?.kind !== 'answer') return false
  return last.ending === 'streaming' || last.parts.some((part) => part.type === 'tool-call' && part.result === null)
}

/** Where the last turn begins. */
function findLastTurn(messages: readonly Message[]): number {
  return Math.max(
    messages.findLastIndex(({ role }) => role === 'user'),
    0,
  )
}

interface StoredInput {
  readonly compactions: readonly Compaction[]
  /** Those that stand among these messages. */
  readonly cards: readonly Card[]
  /** All of them: what one has told is not told again. */
  readonly heard: readonly Card[]
  readonly states: CallStates
}

function listStored(messages: readonly Message[], { compactions, cards, heard, states }: StoredInput): readonly Row[] {
  const rows: Row[] = []
  const pending = compactions.toSorted((a, b) => a.at - b.at)
  let turnId: string | null = null
  let step = 0
  for (const message of messages) {
    while (pending[0] !== undefined && pending[0].at < message.at) rows.push(...pending.splice(0, 1).map(toRow))
    if (message.role === 'user') {
      if (turnId !== null) rows.push(...listCards(cards, turnId))
      turnId = message.id
      step = 0
      rows.push(createAskedRow(message))
    } else if (message.role === 'assistant') {
      rows.push(createStoredAnswer(turnId === null ? message.id : stepKey(turnId, step), message, states))
      step += countSteps(message.parts)
      rows.push(...listFailure(message, turnId, heard))
    }
  }
  rows.push(...pending.map(toRow))
  return turnId === null ? rows : [...rows, ...listCards(cards, turnId)]
}

/** The steps that are not stored yet: those beyond as many as the stored answers of the turn make. */
function listLive(
  { turnId, asked, steps, doneEvent }: LiveTurn,
  messages: readonly Message[],
  states: CallStates,
): readonly Row[] {
  if (isAnswerStored(messages, turnId)) return []
  const isStored = messages[0]?.id === turnId
  const answers = isStored ? messages.filter(({ role }) => role === 'assistant') : []
  const storedSteps = answers.reduce((sum, { parts }) => sum + countSteps(parts), 0)
  const rows = steps.flatMap((step, index) => {
    if (index < storedSteps || step.parts.length === 0) return []
    const isStreaming = doneEvent === null && step.id === null && index === steps.length - 1
    return [createLiveAnswer(stepKey(turnId, index), step, isStreaming ? 'streaming' : 'complete', states)]
  })
  return asked !== null && !isStored ? [createAskedRow(asked), ...rows] : rows
}

/** The event told it in the same words. */
function listFailure({ id, failure }: Message, turnId: string | null, heard: readonly Card[]): readonly Row[] {
  if (failure === undefined) return []
  const isHeard = heard.some(
    (card) => card.type === 'problem' && card.turnId === turnId && card.text === failure.message,
  )
  return isHeard ? [] : [{ kind: 'failure', key: `${id}-failure`, failure }]
}

function stepKey(turnId: string, step: number): string {
  return `${turnId}-${step}`
}

function toRow(compaction: Compaction): Row {
  return { kind: 'compaction', key: compaction.id, compaction }
}

function listCards(cards: readonly Card[], turnId: string | null): readonly Row[] {
  return cards.filter((card) => card.turnId === turnId).map((card) => ({ kind: 'card', key: card.id, card }))
}
