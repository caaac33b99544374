import type { BaseMove } from '../../compaction/compaction-plan.ts'
import type { SummaryDocument } from '../../transcript/summary-document.ts'
import { compactedBase, showBase, trimmedBase } from '../fold/fold.ts'
import type { State } from '../fold/state.ts'
import { estimateView, measureView } from '../view/measure-view.ts'
import { createView } from '../view/view.ts'
import type { SessionContext } from './session-context.ts'

/** What a compaction or a trim would leave: `document` null keeps the summary in force. */
export interface MoveCandidate {
  readonly move: BaseMove
  readonly document: SummaryDocument | null
  readonly note?: string | null
}

/**
 * Tells how big the context would be after a move, in the units in which it is measured now: both views are estimated
 * alike and scaled by what the meter reads, so "strictly smaller" compares like with like.
 */
export function createMoveMeter(context: SessionContext): (candidate: MoveCandidate) => number {
  const measure = { ...context, estimator: context.policy.estimator }
  const view = createView(context.state, context.policy)
  const estimate = Math.max(1, estimateView(view, measure))
  const { reading } = measureView(view, measure)
  const scale = reading.tokens === null ? 1 : reading.tokens / estimate
  return (candidate) => {
    const after = createView(previewMove(context.state, candidate), context.policy)
    return Math.ceil(estimateView(after, measure) * scale)
  }
}

function previewMove(state: State, { move, document, note }: MoveCandidate): State {
  const ref = { id: 'preview', seq: state.head.lastSeq + 1 }
  const moved = { ...ref, ...move, at: 0, tokensBefore: 0, tokensAfter: 0 }
  const base =
    document === null
      ? trimmedBase({
          ...moved,
          type: 'trim',
          reason: 'overflow',
          summary: state.head.base.summary,
          dropped: 0,
          note: note ?? null,
        })
      : compactedBase({ ...moved, type: 'compaction', document, reason: 'manual', strategy: '', model: null })
  const head = { ...state.head, base }
  return { ...state, head, document: document ?? state.document, ...showBase({ ...state, head }, base) }
}
