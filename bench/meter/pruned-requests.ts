import { foldEntry } from '@longhaul/engine/advanced'
import type { MessageEntry, PruneDecision, State } from '@longhaul/engine/advanced'
import type { Origin } from './billed-sessions.ts'
import { isWholeBill, measureMoment } from './measure-moment.ts'
import type { Moment } from './measure-moment.ts'
import { guessTokens } from './yardsticks.ts'
import type { Guesses } from './yardsticks.ts'

/** A request as it would have been right after a pruning. */
export interface PrunedRequest {
  readonly origin: Origin
  readonly tokens: number
  /** The bill of the request less the bills of what was cleared, and what stands in its place. */
  readonly billedTokens: number
  readonly guesses: Guesses
  readonly hindsightTokens: number
}

/** Tool results that were sent together for the first time, and what that added to the bill. */
interface BilledResults {
  readonly messages: readonly MessageEntry[]
  readonly billedTokens: number
}

const EVERY_REQUESTS = 20
const KEEP_LAST = 5
const MIN_BILLED_TOKENS = 500
const PLACEHOLDER = '[Old tool result content cleared]'

/** Nobody billed a pruned request of these sessions, but two bills in a row tell what the results between them cost. */
export function createPruneProbe(origin: Origin): {
  visit(moment: Moment): void
  requests(): readonly PrunedRequest[]
} {
  const results: BilledResults[] = []
  const requests: PrunedRequest[] = []
  let visits = 0
  return {
    visit(moment) {
      visits += 1
      const added = readResults(moment)
      if (added !== null) results.push(added)
      if (visits % EVERY_REQUESTS !== 0) return
      const request = measurePruned(moment, results.slice(0, -KEEP_LAST))
      if (request !== null) requests.push({ origin, ...request })
    },
    requests: () => requests,
  }
}

function readResults(moment: Moment): BilledResults | null {
  const { billed, rest } = measureMoment(moment)
  const messages = rest.flatMap(({ entry }) => (entry?.role === 'tool' ? [entry] : []))
  if (billed?.usage === undefined || !isWholeBill(billed) || messages.length !== rest.length) return null
  const { input, output } = billed.usage
  return { messages, billedTokens: moment.answer.usage.input - input - output }
}

function measurePruned(moment: Moment, old: readonly BilledResults[]): Omit<PrunedRequest, 'origin'> | null {
  const { view } = measureMoment(moment)
  const inView = new Set(view.items.map(({ id }) => id))
  const cleared = old.filter(
    ({ messages, billedTokens }) => billedTokens >= MIN_BILLED_TOKENS && messages.every(({ id }) => inView.has(id)),
  )
  if (cleared.length === 0) return null
  const messages = cleared.flatMap((results) => results.messages)
  const pruned = measureMoment({ ...moment, state: clear(moment.state, messages) })
  const clearedIds = new Set(messages.map(({ id }) => id))
  const placeholders = pruned.view.items.filter(({ id }) => clearedIds.has(id)).map(({ message }) => message)
  const clearedTokens = cleared.reduce((sum, { billedTokens }) => sum + billedTokens, 0)
  return {
    tokens: pruned.reading.tokens ?? 0,
    billedTokens: moment.answer.usage.input - clearedTokens + guessTokens(placeholders).estimate,
    guesses: guessTokens(pruned.view.items.map(({ message }) => message)),
    hindsightTokens: 0,
  }
}

function clear(state: State, messages: readonly MessageEntry[]): State {
  const decisions = messages.flatMap(({ id, seq, parts }) =>
    parts.map((_, part): PruneDecision => ({ entry: { id, seq }, part, form: 'cleared', placeholder: PLACEHOLDER })),
  )
  const { lastSeq } = state.head
  return foldEntry(state, { type: 'prune', seq: lastSeq + 1, id: 'probe', at: 0, reason: 'probe', decisions })
}
