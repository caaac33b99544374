import type { Entry } from '@longhaul/engine'
import { createLog, sampleTurns } from './session.ts'
import type { TurnSample } from './session.ts'
import { mergeSeries, summariseTimes } from './measure-time.ts'
import type { Timing } from './measure-time.ts'

/** Sessions of one length: one that was compacted, and one that keeps every message in its context. */
export interface SizedLogs {
  readonly size: number
  readonly compacted: readonly Entry[]
  readonly whole: readonly Entry[]
}

export interface TurnTimes {
  readonly size: number
  /** `nextRequest` in a compacted session. */
  readonly request: Timing
  /** The median request, each by the fastest time it was made in. */
  readonly requestBestMs: number
  /** The adds of one turn in a compacted session. */
  readonly add: Timing
  /** `nextRequest` where every message is in the context. */
  readonly whole: Timing
  /** Items in the request of a compacted session, in the middle. */
  readonly windowMessages: number
}

export const WINDOW_TOKENS = 200_000
/** So large that nothing is ever due. */
const ENDLESS_TOKENS = 1_000_000_000
/** More than from compaction to compaction. */
const COMPACTED_TURNS = 320
const WHOLE_TURNS = 3

export function createLogs(size: number): SizedLogs {
  return { size, compacted: createLog(size, { isCompacted: true }), whole: createLog(size, { isCompacted: false }) }
}

/** The sizes take turns, so that a slow minute of the machine falls on all of them. Each time the same turns are taken. */
export function createTurnSampler(logs: readonly SizedLogs[]): {
  sample(): Promise<void>
  times(): readonly TurnTimes[]
} {
  const sampled = logs.map((sized) => ({ ...sized, series: [] as Series, wholeSeries: [] as Series }))
  return {
    async sample() {
      for (const { compacted, whole, series, wholeSeries } of sampled) {
        series.push(await sampleTurns(compacted, WINDOW_TOKENS, COMPACTED_TURNS))
        wholeSeries.push(await sampleTurns(whole, ENDLESS_TOKENS, WHOLE_TURNS))
      }
    },
    times: () =>
      sampled.map(({ size, series, wholeSeries }) => ({
        size,
        request: timesOf(series, 'requestMs'),
        requestBestMs: timesOf(series, 'requestMs', 'best').p50Ms,
        add: timesOf(series, 'addMs'),
        whole: timesOf(wholeSeries, 'requestMs'),
        windowMessages: timesOf(series, 'windowMessages').p50Ms,
      })),
  }
}

type Series = (readonly TurnSample[])[]

function timesOf(series: Series, key: keyof TurnSample, choose: 'middle' | 'best' = 'middle'): Timing {
  const values = series.map((samples) => samples.map((sample) => sample[key]))
  return summariseTimes(mergeSeries(values, choose))
}
