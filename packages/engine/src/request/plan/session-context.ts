import type { Limits } from '../../policy/limits.ts'
import type { ContextPolicy } from '../../policy/policy.ts'
import type { Calibration } from '../../tokens/meter.ts'
import type { Item } from '../../transcript/item.ts'
import { elementsOf } from '../fold/append-list.ts'
import type { Environment } from '../view/environment.ts'
import type { State } from '../fold/state.ts'

/** A session as planning sees it. */
export interface SessionContext {
  readonly state: State
  readonly policy: ContextPolicy
  readonly limits: Limits | null
  readonly environment: Environment
  readonly model: string | null
  readonly calibration: Calibration
}

/** Everything in the context that is a message: what the base carries, then the window. */
export function contextItems(state: State): readonly Item[] {
  return [...state.carried, ...elementsOf(state.window)]
}
