import { estimateField } from '../../tokens/estimate-message.ts'
import type { SessionContext } from './session-context.ts'

export interface PinPlan {
  readonly fits: boolean
  /** The size of all pins, with the new one. */
  readonly neededTokens: number
  /** The room for all pins: a share of the window. */
  readonly pinTokens: number
}

/** Pins are in every request word for word, so one that their room cannot hold is refused. */
export function planPin({ state, policy, limits }: SessionContext, text: string): PinPlan {
  const texts = [...state.head.pins.map((pin) => pin.text), text]
  const neededTokens = texts.reduce((sum, each) => sum + estimateField(each, policy.estimator), 0)
  const pinTokens = limits?.pinTokens ?? Infinity
  return { fits: neededTokens <= pinTokens, neededTokens, pinTokens }
}
