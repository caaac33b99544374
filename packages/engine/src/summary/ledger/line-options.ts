import type { Estimator } from '../../tokens/estimate-message.ts'

export interface LineOptions {
  readonly budgetTokens: number
  readonly estimator: Estimator
  /** Without notes beside the facts: the least that tells them. */
  readonly isBare?: boolean
}

/** One kind of facts as text. */
export interface LedgerLines {
  readonly text: string
  readonly tokens: number
  readonly shown: number
}

export const NO_LINES: LedgerLines = { text: '', tokens: 0, shown: 0 }
