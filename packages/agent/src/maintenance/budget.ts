import type { Entry } from '@longhaul/engine/advanced'
import type { ActiveSession } from '../session/active-session.ts'

/** Whether maintenance of one session may still cost something today. */
export interface Budget {
  readonly hasMoney: () => Promise<boolean>
}

const DAY_MS = 86_400_000
const PAGE_ENTRIES = 500
/** Days with more entries than this are rare; what lies before them is then not counted. */
const MAX_PAGES = 20

/**
 * Counted from the transcript, so that a restart does not start it anew. Read when it is first asked for: most turns need
 * no maintenance, and opening a session must not wait for this.
 */
export function createBudget(session: ActiveSession): Budget {
  const { agent, log } = session
  const limit = agent.spend?.maintenanceUsdPerDay ?? null
  let counted: Counted | null = null
  log.onAppend((entries) => {
    for (const entry of entries) if (counted !== null && entry.seq > counted.seq) counted.usdSince += costOf(entry)
  })

  async function sumToday(): Promise<number> {
    const day = dayOf(agent.now())
    if (counted?.day !== day) {
      const { lastSeq: seq } = log.state().head
      counted = { day, seq, usdBefore: sumOfDay(session, day, seq), usdSince: 0 }
    }
    const today = counted
    try {
      return (await today.usdBefore) + today.usdSince
    } catch (error) {
      // Read anew next time: the store may work again by then.
      counted = null
      throw error
    }
  }

  return {
    async hasMoney() {
      return findOverspent(session) === null && (limit === null || (await sumToday()) < limit)
    },
  }
}

/** What maintenance has cost on a day: up to an entry, and since then. */
interface Counted {
  readonly day: number
  readonly seq: number
  readonly usdBefore: Promise<number>
  usdSince: number
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

async function sumOfDay({ agent, id }: ActiveSession, day: number, toSeq: number): Promise<number> {
  let sum = 0
  let to = toSeq
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
