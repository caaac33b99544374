import type { Learnt } from '@longhaul/engine/advanced'

/** A limit an endpoint named in an error. */
export interface LearnedWindow {
  readonly tokens: number
  readonly at: number
}

/** What was learnt about one model, over all sessions. */
export interface LearnedValues {
  /** By estimator. */
  readonly calibrations: Readonly<Record<string, Learnt>>
  readonly window: LearnedWindow | null
}

export interface Learned {
  /** Nothing learnt yet reads as empty values. */
  get(model: string): Promise<LearnedValues>
  setCalibration(model: string, estimator: string, learnt: Learnt): Promise<void>
  /** null forgets it. */
  setWindow(model: string, window: LearnedWindow | null): Promise<void>
  list(): Promise<readonly (LearnedValues & { readonly model: string })[]>
}
