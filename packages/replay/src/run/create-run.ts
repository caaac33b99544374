import type { CarrierOptions, ReplayPolicy } from '../carriers/carrier.ts'
import type { ReplayMessage } from '../conversation/conversation.ts'
import type { ReferenceBook } from '../retention/reference-book.ts'
import { createRetentionMeasure } from '../retention/retention.ts'
import type { Question, RetentionMeasure, RetentionResult } from '../retention/retention.ts'
import { sumRetention } from '../retention/sum-retention.ts'
import { createRequestList } from './request-list.ts'
import type { EventResult, RunResult } from './run-result.ts'
import { createRunningTotals } from './run-totals.ts'
import { createTill } from './till.ts'
import type { TillOptions } from './till.ts'

export interface RunOptions extends CarrierOptions, TillOptions {
  readonly questions: readonly Question[]
  readonly signal: AbortSignal | null
}

/** How many hits of a search are read. */
export const RECALL_HITS = 5

/** A conversation as a program with this policy would have carried it, part by part. */
export interface Run {
  /** Replays the part at hand; `book`: what is referred back to in it. */
  replayPart(book: ReferenceBook): Promise<void>
  /** Messages that a later request may still hold. */
  messagesInUse(): readonly number[]
  finish(): RunResult
}

/** What was said is given, what was sent is not. */
export function createRun(policy: ReplayPolicy, options: RunOptions): Run {
  const { conversation, windowTokens, questions, model, signal } = options
  const carrier = policy.start(options)
  const till = createTill(options)
  const totals = createRunningTotals()
  const requests = createRequestList()
  const retention: RetentionResult[] = []
  let pending: EventResult[] = []
  let unanswered: number[] = []
  let before: ReplayMessage | null = null
  let messages = 0

  const maintain = async (moment: Parameters<typeof carrier.maintain>[0]): Promise<void> => {
    const events = (await carrier.maintain(moment)).map((event) => till.payEvent(event, moment.at))
    totals.addEvents(events)
    pending.push(...events)
  }
  const answer = async (message: ReplayMessage, measure: RetentionMeasure): Promise<void> => {
    const at = before?.at ?? message.at
    await maintain({ checkPoint: before?.role === 'user' ? 'before-turn' : 'before-step', at })
    const items = carrier.request()
    measure.atRequest([...unanswered, message.index], items)
    const paid = till.payRequest(items, message, at)
    const request = { ...paid, isOverWindow: paid.tokens > windowTokens, events: pending, paidUsd: null }
    totals.addRequest(request)
    requests.add({ ...request, paidUsd: totals.paidUsd() })
    unanswered = []
    pending = []
    carrier.append(message, { input: request.tokens, output: request.outputTokens })
    const isTurnOver = conversation.messageAt(message.index + 1)?.role !== 'tool'
    if (isTurnOver) await maintain({ checkPoint: 'after-response', at: message.at })
  }
  return {
    async replayPart(book) {
      const measure = createRetentionMeasure({
        conversation,
        book,
        questions,
        recallHits: policy.canRecall ? RECALL_HITS : null,
      })
      for (const message of conversation.messages) {
        signal?.throwIfAborted()
        if (message.role === 'assistant') await answer(message, measure)
        else {
          if (message.role === 'user') unanswered.push(message.index)
          carrier.append(message, null)
        }
        before = message
      }
      messages += conversation.messages.length
      retention.push(measure.finish(carrier.request()))
    },
    messagesInUse: () => carrier.request().flatMap(({ index }) => (index === null ? [] : [index])),
    finish() {
      const { name, kind, about, source, canRecall } = policy
      return {
        policy: { name, kind, about, source, canRecall },
        conversation: conversation.name,
        messages,
        model,
        windowTokens,
        totals: totals.finish(),
        retention: sumRetention(retention),
        requests: requests.list(),
        lastEvents: pending,
      }
    },
  }
}
