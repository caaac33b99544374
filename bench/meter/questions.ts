import type { PrefixChanges } from './prefix-changes.ts'
import type { PrunedRequest } from './pruned-requests.ts'
import type { Guess } from './spread.ts'
import type { BilledRequest } from './walk-bills.ts'
import { YARDSTICKS } from './yardsticks.ts'
import type { Yardstick } from './yardsticks.ts'

export interface MeterNumbers {
  readonly requests: readonly BilledRequest[]
  readonly pruned: readonly PrunedRequest[]
  readonly prefixes: readonly PrefixChanges[]
}

/** `stale` takes the last bill in view, whatever it was for. `hindsight` knows what nobody can know. */
export type Way = 'longhaul' | Yardstick | 'stale' | 'hindsight'

/** One question, and what each way of counting answers to it. */
export interface Question {
  readonly title: string
  readonly ways: readonly Way[]
  readonly guess: (numbers: MeterNumbers, way: Way) => readonly Guess[]
}

const WAYS: readonly Way[] = ['longhaul', ...YARDSTICKS, 'hindsight']
const LEARNT_CALLS = 5
const MIN_REST_TOKENS = 200

/** Every request but the first of a session, about which nobody can know anything. */
export const next: Question = {
  title: 'The next request',
  ways: WAYS,
  guess: ({ requests }, way) => requests.filter(({ calls }) => calls > 0).map((request) => guessWhole(request, way)),
}

export const unbilled: Question = {
  title: `What of it was not billed before, from ${MIN_REST_TOKENS} tokens on, after ${LEARNT_CALLS} calls`,
  ways: WAYS,
  guess: ({ requests }, way) =>
    requests
      .filter(({ calls, reportedTokens }) => calls >= LEARNT_CALLS && reportedTokens > 0)
      .filter(({ billedTokens, reportedTokens }) => billedTokens - reportedTokens >= MIN_REST_TOKENS)
      .map((request) => {
        const { guessed, truth } = guessWhole(request, way)
        return { guessed: guessed - request.reportedTokens, truth: truth - request.reportedTokens }
      }),
}

export const compacted: Question = {
  title: 'The first request after a compaction',
  ways: [...WAYS, 'stale'],
  guess: ({ requests }, way) =>
    requests.filter((request) => request.isAfterCompaction).map((request) => guessWhole(request, way)),
}

export const cleared: Question = {
  title: 'The first request after old tool results are cleared',
  ways: WAYS,
  guess: ({ pruned }, way) =>
    pruned.map((request) => guessWhole({ ...request, reportedTokens: 0, staleTokens: 0 }, way)),
}

type Countable = Pick<
  BilledRequest,
  'tokens' | 'billedTokens' | 'reportedTokens' | 'guesses' | 'staleTokens' | 'hindsightTokens'
>

function guessWhole(request: Countable, way: Way): Guess {
  return { guessed: guess(request, way), truth: request.billedTokens }
}

/** Where a bill covers the beginning, every way but `stale` takes it: they differ in the rest only. */
function guess({ tokens, reportedTokens, guesses, staleTokens, hindsightTokens }: Countable, way: Way): number {
  switch (way) {
    case 'longhaul':
      return tokens
    case 'stale':
      return staleTokens
    case 'hindsight':
      return hindsightTokens
    case 'estimate':
    case 'characters':
    case 'json':
    case 'o200k':
      return reportedTokens + guesses[way]
    default:
      return way satisfies never
  }
}
