import { planUndo } from '@longhaul/engine/advanced'
import type { UndoPlan } from '@longhaul/engine/advanced'
import type { ActiveSession } from './active-session.ts'

/** One for the compaction, and one for each trim above it. */
const MAX_LOADS = 500

/** Plans to take the last compaction back, with the messages read that it covered. `load`: they cannot be read. */
export async function planWholeUndo({ context, log }: Pick<ActiveSession, 'context' | 'log'>): Promise<UndoPlan> {
  let plan = planUndo(context())
  for (let loads = 0; plan.action === 'load' && loads < MAX_LOADS; loads += 1) {
    await log.loadFrom(plan.missing)
    plan = planUndo(context())
  }
  return plan
}
