import { foldEntry } from '../fold/fold.ts'
import { measureView } from '../view/measure-view.ts'
import type { SessionContext } from './session-context.ts'
import type { State } from '../fold/state.ts'
import { createView } from '../view/view.ts'

export type UndoPlan =
  | {
      readonly action: 'undo'
      readonly compaction: string
      readonly restored: State
      readonly tokensAfter: number | null
    }
  /** The messages it would bring back are not loaded: read them and ask again. */
  | { readonly action: 'load'; readonly missing: NonNullable<State['missing']> }
  | {
      readonly action: 'refuse'
      readonly reason: 'nothing-to-undo' | 'undo-would-not-fit'
      readonly tokensAfter: number | null
    }

/** Takes the last compaction or trim back, if what it brings back fits the window. */
export function planUndo(context: SessionContext): UndoPlan {
  const { state, policy, limits } = context
  const { base, lastSeq } = state.head
  if (base.entry === null || base.kind === 'reset')
    return { action: 'refuse', reason: 'nothing-to-undo', tokensAfter: null }
  const compaction = base.entry.id
  const restored = foldEntry(state, { type: 'compaction-undone', seq: lastSeq + 1, id: 'undo', at: 0, compaction })
  if (restored.missing !== null) return { action: 'load', missing: restored.missing }
  const { reading } = measureView(createView(restored, policy), { ...context, estimator: policy.estimator })
  if (limits !== null && reading.tokens !== null && reading.tokens > limits.inputTokens) {
    return { action: 'refuse', reason: 'undo-would-not-fit', tokensAfter: reading.tokens }
  }
  return { action: 'undo', compaction, restored, tokensAfter: reading.tokens }
}
