import { createSession } from './session.ts'
import type { BenchSession, TurnSample } from './session.ts'
import { mergeSeries, summariseTimes } from './measure-time.ts'
import type { Timing } from './measure-time.ts'

/** Sessions of one length: one that is maintained in a window, and one that keeps every message in its context. */
export interface SizedSessions {
  readonly size: number
  readonly maintained: BenchSession
  readonly unbounded: BenchSession
}

export interface TurnTimes {
  readonly size: number
  readonly maintained: Timing
  /** The median turn, each turn by the fastest time it was taken. */
  readonly maintainedBestMs: number
  readonly maintainedWithSeal: Timing
  readonly unbounded: Timing
  /** Messages in the request of a maintained session, in the middle. */
  readonly windowMessages: number
}

/** So large that nothing is ever due. */
const ENDLESS_TOKENS = 1_000_000_000
/** Twice from compaction to compaction. */
const MAINTAINED_TURNS = 320
const UNBOUNDED_TURNS = 3

export async function createSizedSessions(size: number, windowTokens: number): Promise<SizedSessions> {
  const maintained = createSession({ windowTokens, isMaintained: true })
  await maintained.growTo(size)
  const unbounded = createSession({ windowTokens: ENDLESS_TOKENS, isMaintained: false })
  await unbounded.growTo(size)
  return { size, maintained, unbounded }
}

/** Compiles the code before anything counts. */
export async function warmUp(windowTokens: number): Promise<void> {
  const { maintained, unbounded } = await createSizedSessions(3_000, windowTokens)
  await maintained.sampleTurns(MAINTAINED_TURNS)
  await unbounded.sampleTurns(UNBOUNDED_TURNS)
}

/** The sizes take turns, so that a slow minute of the machine falls on all of them. Each time the same turns are taken. */
export function createTurnSampler(sessions: readonly SizedSessions[]): {
  sample(): Promise<void>
  times(): readonly TurnTimes[]
} {
  const sampled = sessions.map((sized) => ({
    ...sized,
    maintainedSeries: [] as (readonly TurnSample[])[],
    unboundedSeries: [] as (readonly TurnSample[])[],
  }))
  return {
    async sample() {
      for (const { maintained, unbounded, maintainedSeries, unboundedSeries } of sampled) {
        maintainedSeries.push(await maintained.sampleTurns(MAINTAINED_TURNS))
        unboundedSeries.push(await unbounded.sampleTurns(UNBOUNDED_TURNS))
      }
    },
    times: () =>
      sampled.map(({ size, maintainedSeries, unboundedSeries }) => ({
        size,
        maintained: timesOf(maintainedSeries, turnMs),
        maintainedBestMs: summariseTimes(mergeSeries(valuesOf(maintainedSeries, turnMs), 'best')).p50Ms,
        maintainedWithSeal: timesOf(maintainedSeries, ({ ms, sealMs }) => ms + sealMs),
        unbounded: timesOf(unboundedSeries, turnMs),
        windowMessages: middleOf((maintainedSeries[0] ?? []).map((sample) => sample.windowMessages)),
      })),
  }
}

type Series = readonly (readonly TurnSample[])[]

function timesOf(series: Series, msOf: (sample: TurnSample) => number): Timing {
  return summariseTimes(mergeSeries(valuesOf(series, msOf), 'middle'))
}

function valuesOf(series: Series, msOf: (sample: TurnSample) => number): readonly (readonly number[])[] {
  return series.map((samples) => samples.map(msOf))
}

function turnMs({ ms }: TurnSample): number {
  return ms
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
