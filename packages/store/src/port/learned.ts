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

/** A tool of somebody else, as it was when a person or the owner last allowed it. */
export interface LearnedTool {
  readonly digest: string
  readonly description: string
  readonly inputSchema: string
}

export interface Learned {
  /** Nothing learnt yet reads as empty values. */
  get(model: string): Promise<LearnedValues>
  setCalibration(model: string, estimator: string, learnt: Learnt): Promise<void>
  /** null forgets it. */
  setWindow(model: string, window: LearnedWindow | null): Promise<void>
  list(): Promise<readonly (LearnedValues & { readonly model: string })[]>
  /** null: it was never allowed. */
  getTool(name: string): Promise<LearnedTool | null>
  setTool(name: string, tool: LearnedTool): Promise<void>
  /**
   * The secret key of that name. Where there is none, the candidate is stored and becomes it: all processes that share the
   * store get the same one. A backup holds it.
   */
  keepKey(name: string, candidate: string): Promise<string>
}
