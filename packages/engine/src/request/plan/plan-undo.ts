import { foldEntry } from '../fold/fold.ts'
import { measureView } from '../view/measure-view.ts'
import type { SessionContext } from './session-context.ts'
import type { State } from '../fold/state.ts'
import { countMessages } from '../view/count-messages.ts'
import { createView } from '../view/view.ts'

export type UndoPlan =
  | {
      readonly action: 'undo'
      /** Each is to be named by a `compaction-undone` entry, in this order. */
      readonly undone: readonly string[]
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

/**
 * Takes the last compaction back, with the trims that came after it, if what that brings back fits; where only trims
 * were made, the last trim.
 */
export function planUndo(context: SessionContext): UndoPlan {
  const { policy, limits } = context
  const undone: string[] = []
  let restored = context.state
  do {
    const { base } = restored.head
    if (base.entry === null || base.kind === 'reset') break
    undone.push(base.entry.id)
    restored = undoTop(restored, base.entry.id)
    if (restored.missing !== null) return { action: 'load', missing: restored.missing }
    if (base.kind === 'compaction') return checkFit(undone, restored)
  } while (restored.head.base.summary !== null)
  const [last] = undone
  if (last === undefined) return { action: 'refuse', reason: 'nothing-to-undo', tokensAfter: null }
  return checkFit([last], undoTop(context.state, last))

  function checkFit(ids: readonly string[], state: State): UndoPlan {
    const view = createView(state, policy)
    const { tokens } = measureView(view, { ...context, estimator: policy.estimator }).reading
    const isTooLarge = limits !== null && tokens !== null && tokens > limits.inputTokens
    const isTooLong = countMessages(view) > (policy.compaction.maxMessages ?? Infinity)
    if (isTooLarge || isTooLong) return { action: 'refuse', reason: 'undo-would-not-fit', tokensAfter: tokens }
    return { action: 'undo', undone: ids, restored: state, tokensAfter: tokens }
  }
}

function undoTop(state: State, compaction: string): State {
  const seq = state.head.lastSeq + 1
  return foldEntry(state, { type: 'compaction-undone', seq, id: 'undo', at: 0, compaction })
}
