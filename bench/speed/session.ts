import {
  createView,
  foldEntry,
  measureEnvironment,
  measureView,
  planNext,
  resolveLimits,
  sealRequest,
} from '@longhaul/engine/advanced'
import type { CheckPoint, Plan, State, View } from '@longhaul/engine/advanced'
import { maintain, summariseAll } from './maintain.ts'
import { afterTurn, contextOf, createPlace, measureContext, policy, writeTurn } from './place.ts'
import type { Place } from './place.ts'

export interface TurnSample {
  /** Fold, plan, view and measure. */
  readonly ms: number
  /** Sealing the request on top of it; 0 where it was left out. */
  readonly sealMs: number
  readonly windowMessages: number
}

/** A session as an agent keeps it, without a model and without a store. */
export interface BenchSession {
  place(): Place
  /** Lets a new session grow old. Maintenance is looked at now and then, and at every turn towards the end. */
  growTo(messages: number): Promise<void>
  /** Takes a number of turns, then goes back to where the session stood: it does not age by being measured. */
  sampleTurns(count: number): Promise<readonly TurnSample[]>
}

export interface SessionOptions {
  readonly windowTokens: number
  /** false: nothing is ever pruned or summarised, so every message stays in the context. */
  readonly isMaintained: boolean
}

export const WINDOW_TOKENS = 200_000

const TURNS_BETWEEN_CHECKS = 32
/**
 * The end of every maintained session is the same, from a compaction that summarised all before it: then sessions of any
 * length have the same window, and what differs in time is due to their length. More than one cycle from compaction to
 * compaction, so that everything in the window has the form it would have.
 */
const LAST_MESSAGES = 700
const FIRST_TURN_OF_END = 1_000_000
/** Billed tokens per estimated one. */
const TRUE_RATIO = 1.05

export function createSession({ windowTokens, isMaintained }: SessionOptions): BenchSession {
  let place = createPlace(resolveLimits(policy, { windowTokens }))
  return {
    place: () => place,
    async growTo(messages) {
      const earlyMessages = isMaintained ? messages - LAST_MESSAGES : messages
      while (place.messages < earlyMessages) {
        place = skipTurn(place)
        if (isMaintained && place.turn % TURNS_BETWEEN_CHECKS === 0) place = await maintain(place, 'before-step')
      }
      if (!isMaintained) return
      place = { ...summariseAll(place), turn: FIRST_TURN_OF_END }
      while (place.messages < messages) ({ place } = await takeTurn(place, isMaintained))
    },
    async sampleTurns(count) {
      // The first entry after going back copies the shared list: a cost of the benchmark, not of a session.
      let { place: next } = await takeTurn(place, isMaintained)
      const samples: TurnSample[] = []
      while (samples.length < count) {
        const { place: after, sample } = await takeTurn(next, isMaintained)
        next = after
        samples.push(sample)
      }
      return samples
    },
  }
}

/** One turn, measured; what planning asked for is carried out after it, unmeasured. */
async function takeTurn(
  before: Place,
  isSealed: boolean,
): Promise<{ readonly place: Place; readonly sample: TurnSample }> {
  const { answer, input, isReply } = writeTurn(before)
  const entryCount = 1 + input.length
  const { now } = afterTurn(before, before.state, entryCount)
  const planAt = (state: State, checkPoint: CheckPoint): Plan =>
    planNext({ ...contextOf(before), state, checkPoint, now })
  const checkPoint = isReply ? 'before-turn' : 'before-step'

  const begin = performance.now()
  let state = foldEntry(before.state, answer)
  const replyPlan = isReply ? planAt(state, 'after-response') : null
  for (const entry of input) state = foldEntry(state, entry)
  const plan = planAt(state, checkPoint)
  measureView(createView(state, policy), measureContext)
  const ms = performance.now() - begin

  const isDue = plan.action !== 'proceed' || (replyPlan !== null && replyPlan.action !== 'proceed')
  const turned = afterTurn(before, state, entryCount)
  const maintained = isDue ? await maintain(turned, checkPoint) : turned
  const { view, sealMs, chainHash } = send(maintained, isSealed)
  const sent = { items: view.items.length, chainHash, tokens: billOf(view) }
  return { place: { ...maintained, sent }, sample: { ms, sealMs, windowMessages: view.items.length } }
}

function send(
  { state }: Place,
  isSealed: boolean,
): { readonly view: View; readonly sealMs: number; readonly chainHash: string } {
  const view = createView(state, policy)
  if (!isSealed) return { view, sealMs: 0, chainHash: measureView(view, measureContext).trace.chainHash }
  const begin = performance.now()
  const { anchor } = sealRequest({ view, context: measureContext, maxTokens: null, maxBytes: null })
  return { view, sealMs: performance.now() - begin, chainHash: anchor.chainHash }
}

/** A turn that nobody looks at. A hash that does not match costs as much to compare as one that does. */
function skipTurn(place: Place): Place {
  const { answer, input } = writeTurn(place)
  const state = [answer, ...input].reduce<State>(foldEntry, place.state)
  const after = afterTurn(place, state, 1 + input.length)
  return { ...after, sent: { items: after.messages, chainHash: 'not measured', tokens: 100_000 } }
}

/** What the provider would bill for a view. */
function billOf(view: View): number {
  const around = measureEnvironment(measureContext.environment, policy.estimator).tokens
  return Math.round(view.items.reduce((sum, item) => sum + item.tokens, around) * TRUE_RATIO)
}
