import { estimatePart } from '../tokens/estimate-message.ts'
import type { Estimator } from '../tokens/estimate-message.ts'
import type { PruneDecision, PruneForm } from '../transcript/entry.ts'
import type { ToolCallPart, ToolResultPart } from '../transcript/message.ts'
import { applyForm } from './apply-form.ts'
import { charsOf, isFinalForm } from './prunable.ts'
import type { Prunable } from './prunable.ts'
import type { PrunePlan } from './prune-plan.ts'

/** Collects decisions until they are committed together: each one breaks a prompt cache, all of them only once. */
export interface PruneBatch {
  /**
   * Takes the decision if it makes the part strictly shorter than it stands, earlier offers included, and frees that many
   * tokens. What is trimmed is never trimmed differently, only cleared.
   */
  offer(target: Prunable, form: PruneForm, minFreedTokens?: number): boolean
  /** The part as it would be sent now, earlier offers included. */
  charsOf(target: Prunable): number
  freedTokens(): number
  /** null: no decision was taken. */
  createPlan(reason: string): PrunePlan | null
}

interface Taken {
  readonly target: Prunable
  readonly form: PruneForm
  readonly shown: ToolResultPart | ToolCallPart
}

export function createBatch(estimator: Estimator): PruneBatch {
  const taken = new Map<string, Taken>()
  let freedTokens = 0
  let freedChars = 0
  const tokensOf = (part: ToolResultPart | ToolCallPart) => estimatePart(part, estimator)
  const shownOf = (target: Prunable) => taken.get(target.place)?.shown ?? target.shown

  return {
    offer(target, form, minFreedTokens = 0) {
      const formNow = taken.get(target.place)?.form ?? target.form
      if (formNow !== null && (isFinalForm(formNow) || form.form === formNow.form)) return false
      const before = shownOf(target)
      const after = applyRemembered(target.stored, form)
      if (after === before) return false
      const chars = charsOf(before) - charsOf(after)
      if (chars <= 0) return false
      const tokens = tokensOf(before) - tokensOf(after)
      if (tokens < minFreedTokens) return false
      taken.set(target.place, { target, form, shown: after })
      freedTokens += tokens
      freedChars += chars
      return true
    },
    charsOf: (target) => charsOf(shownOf(target)),
    freedTokens: () => freedTokens,
    createPlan(reason) {
      if (taken.size === 0) return null
      const inOrder = [...taken.values()].toSorted(
        (a, b) => a.target.messageIndex - b.target.messageIndex || a.target.partIndex - b.target.partIndex,
      )
      return { reason, decisions: inOrder.map(toDecision), freedTokens, freedChars }
    },
  }
}

const shortened = new WeakMap<ToolResultPart | ToolCallPart, Map<string, ToolResultPart | ToolCallPart>>()

/** Under pressure the same offers are weighed at every step until they pay: each is made and measured once. */
function applyRemembered(part: ToolResultPart | ToolCallPart, form: PruneForm): ToolResultPart | ToolCallPart {
  const key = form.form === 'cleared' ? form.placeholder : `${form.headChars} ${form.tailChars} ${form.note}`
  const known = shortened.get(part) ?? new Map<string, ToolResultPart | ToolCallPart>()
  const after = known.get(key) ?? applyForm(part, form)
  shortened.set(part, known.set(key, after))
  return after
}

function toDecision({ target, form }: Taken): PruneDecision {
  const { id, seq } = target.item.entry
  return { entry: { id, seq }, part: target.partIndex, ...form }
}
