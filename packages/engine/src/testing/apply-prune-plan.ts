import { applyForms } from '../pruning/apply-form.ts'
import type { PrunePlan } from '../pruning/prune-plan.ts'
import type { PruneForm } from '../transcript/entry.ts'
import type { Item } from '../transcript/item.ts'

/** The items as they are once the plan is an entry of the transcript. */
export function applyPrunePlan(items: readonly Item[], plan: PrunePlan | null): readonly Item[] {
  if (plan === null) return items
  return items.map((item) => {
    const forms = new Map<number, PruneForm>(item.forms)
    for (const { entry, part, ...form } of plan.decisions) if (entry.id === item.entry.id) forms.set(part, form)
    return forms.size === 0 ? item : { ...item, message: applyForms(item.entry, forms), forms }
  })
}
