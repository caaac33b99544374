import type { Usage } from '@longhaul/engine/advanced'
import type { ActiveSession } from '../session/active-session.ts'

/** What was paid for counts, also where nothing came of it. */
export async function billDiscarded(session: ActiveSession, usage: Usage | null): Promise<void> {
  if (usage === null) return
  await session.log.append([{ type: 'bill', work: 'discarded', model: session.model(), usage }])
}
