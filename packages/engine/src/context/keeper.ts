import type { Head } from '../request/fold/state.ts'
import type { Learnt } from '../tokens/calibrate.ts'
import type { Entry } from '../transcript/entry.ts'

/** What bills and refusals have taught about one model. */
export interface Lessons {
  /** By the name of the estimator that a calibration corrects. */
  readonly calibrations: Readonly<Record<string, Learnt>>
  /** The smallest window that a refusal has shown; null: none was refused. */
  readonly windowTokens: number | null
}

/** Keeps the log and the lessons of a conversation in a store. An owner that has a store gives it instead of `onAppend`. */
export interface Keeper {
  /** Stores entries with the head that they fold to, all or none. If it throws, nothing has changed. */
  readonly append: (entries: readonly Entry[], head: Head) => Promise<void>
  /** The lessons of earlier conversations with the same model. */
  readonly lessons?: Lessons
  /** Called with every new lesson. It must not throw. */
  readonly onLesson?: (lessons: Lessons) => void
}
