import { createState, foldEntry } from '@longhaul/engine/advanced'
import { createLearnt, learnFromBill } from '@longhaul/engine/advanced'
import type { BilledSession, Origin } from './billed-sessions.ts'
import { isBilled, isWholeBill, measureMoment } from './measure-moment.ts'
import type { BilledAnswer, MeasuredMoment, Moment } from './measure-moment.ts'
import { guessTokens } from './yardsticks.ts'
import type { Guesses } from './yardsticks.ts'

/** What was foreseen of a request and what was billed for it. */
export interface BilledRequest {
  readonly origin: Origin
  /** Answers of this session before it. */
  readonly calls: number
  readonly isAfterCompaction: boolean
  readonly billedTokens: number
  /** What bills cover, answers included whose own bill can be believed; 0 where none covers the beginning. */
  readonly reportedTokens: number
  /** By Longhaul's meter. */
  readonly tokens: number
  /** Of what `reportedTokens` does not cover: of everything where it is 0. */
  readonly guesses: Guesses
  /** What one gets who takes the last bill in view, whatever it was for. */
  readonly staleTokens: number
  readonly restsOnWholeBill: boolean
  /** See hindsight.ts; 0 until the session has ended. */
  readonly hindsightTokens: number
}

/**
 * The session as it went, its own compactions included, since the bills belong to them. Nothing is known about the model
 * at its start; each request is measured before its bill is learnt from.
 */
export function walkBills(session: BilledSession, visit: (moment: Moment) => void): readonly BilledRequest[] {
  const requests: BilledRequest[] = []
  let state = createState()
  let learnt = createLearnt()
  let isAfterCompaction = false
  for (const entry of session.entries) {
    if (entry.type === 'compaction') isAfterCompaction = true
    if (!isBilled(entry)) {
      state = foldEntry(state, entry)
      continue
    }
    const moment = { state, learnt, answer: entry }
    visit(moment)
    const measured = measureMoment(moment)
    const { origin } = session
    requests.push({ origin, calls: requests.length, isAfterCompaction, ...compare(measured, entry) })
    isAfterCompaction = false
    learnt = learnFromBill(learnt, { ...measured, usage: entry.usage })
    const { view, chainHash } = measured
    state = foldEntry(state, {
      ...entry,
      anchor: { model: entry.model ?? '', itemCount: view.items.length, chainHash },
    })
  }
  return requests
}

function compare({ view, reading, billed, rest }: MeasuredMoment, { usage }: BilledAnswer) {
  const last = view.items.findLastIndex(({ entry }) => entry !== null && isBilled(entry))
  const lastBill = view.items[last]?.entry?.usage
  const sinceLast = guessTokens(view.items.slice(last + 1).map(({ message }) => message))
  return {
    billedTokens: usage.input,
    reportedTokens: billed === null ? 0 : reading.reportedTokens,
    tokens: reading.tokens ?? 0,
    guesses: guessTokens(rest.map(({ message }) => message)),
    staleTokens: (lastBill?.input ?? 0) + (lastBill?.output ?? 0) + sinceLast.characters,
    restsOnWholeBill: isWholeBill(billed),
    hindsightTokens: 0,
  }
}
