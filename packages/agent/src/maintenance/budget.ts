import type { Entry } from '@longhaul/engine'
import type { ActiveSession } from '../session/active-session.ts'

/** Whether maintenance of one session may still cost something today. */
export interface Budget {
  readonly hasMoney: () => boolean
}

const DAY_MS = 86_400_000
const PAGE_ENTRIES = 500
/** Days with more entries than this are rare; what lies before them is then not counted. */
const MAX_PAGES = 20

/** Counted from the transcript, so that a restart does not start it anew. */
export async function createBudget(session: ActiveSession): Promise<Budget> {
  const limit = session.agent.spend?.maintenanceUsdPerDay ?? null
  if (limit === null) return { hasMoney: () => findOverspent(session) === null }
  let day = dayOf(session.agent.now())
  let spent = await sumOfDay(session, day)
  let countedSeq = session.log.state().head.lastSeq

  session.log.onAppend((entries) => {
    for (const entry of entries) {
      if (entry.seq <= countedSeq) continue
      countedSeq = entry.seq
      spent += costOf(entry)
    }
  })
  return {
    hasMoney() {
      const today = dayOf(session.agent.now())
      if (today !== day) [day, spent] = [today, 0]
      return spent < limit && findOverspent(session) === null
    },
  }
}

/** The session as a whole has cost what it may; in words for its user. */
export function findOverspent({ agent, log }: ActiveSession): string | null {
  const limit = agent.spend?.sessionUsd ?? null
  const { costUsd } = log.state().head.totals
  if (limit === null || costUsd < limit) return null
  return `This session has cost $${costUsd.toFixed(2)}; its limit is $${limit.toFixed(2)}. Raise limits.sessionUsd to go on.`
}

function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}

async function sumOfDay({ agent, id, log }: ActiveSession, day: number): Promise<number> {
  let sum = 0
  let to = log.state().head.lastSeq
  for (let page = 0; page < MAX_PAGES && to > 0; page += 1) {
    const entries = await agent.store.entries.read(id, { to, limit: PAGE_ENTRIES, fromEnd: true })
    sum += entries.filter(({ at }) => dayOf(at) === day).reduce((more, entry) => more + costOf(entry), 0)
    const [first] = entries
    if (first === undefined || dayOf(first.at) < day) break
    to = first.seq - 1
  }
  return sum
}

function costOf(entry: Entry): number {
  return MAINTENANCE.has(entry.type) && 'usage' in entry ? (entry.usage?.costUsd ?? 0) : 0
}

const MAINTENANCE: ReadonlySet<string> = new Set(['compaction', 'flush', 'maintenance-failed', 'bill'])
