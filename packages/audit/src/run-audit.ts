import { availableParallelism } from 'node:os'
import type { FoundSession } from './find/agent-session.ts'
import { findSessions } from './find/find-sessions.ts'
import type { AuditProblem, AuditReport, SessionAudit } from './report/audit-report.ts'
import { createTotals } from './report/create-totals.ts'
import { createAuditThread } from './thread/create-audit-thread.ts'
import type { AuditThread } from './thread/create-audit-thread.ts'

export interface AuditOptions {
  /** The home folder of the user whose agents are looked for. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Files and folders; none: where the agents keep their sessions. */
  readonly paths: readonly string[]
  /** Only sessions that changed after it, in milliseconds since 1970. */
  readonly since?: number | null
  /** The window of every session, where the user knows better than the files. */
  readonly windowTokens?: number | null
  /** How many threads read. Default: one for each core, at most 4. */
  readonly workers?: number
  /** How much of all bytes is done, from 0 to 1. */
  readonly onProgress?: (share: number) => void
  readonly signal: AbortSignal
}

const MAX_WORKERS = 4

/**
 * Audits the sessions of a machine, several at a time, each in a thread beside this one. Rejects only when its signal says
 * so: what cannot be read is among the problems.
 */
export async function runAudit(options: AuditOptions): Promise<AuditReport> {
  const { home, env, paths, signal, since } = options
  signal.throwIfAborted()
  const found = await findSessions({ home, env, paths, since: since ?? undefined, signal })
  const audited = await auditAll(found.sessions, options)
  const sessions = audited.flatMap((each) => each.sessions)
  const problems = [...found.problems, ...audited.flatMap((each) => each.problems)]
  return { sessions, totals: createTotals(sessions), problems }
}

interface Audited {
  readonly sessions: readonly SessionAudit[]
  readonly problems: readonly AuditProblem[]
}

/** In the order of the sessions. The longest are begun first, so that no thread ends long after the others. */
async function auditAll(sessions: readonly FoundSession[], options: AuditOptions): Promise<readonly Audited[]> {
  const { signal, windowTokens = null, onProgress } = options
  const audited: Audited[] = []
  const waiting = [...sessions.keys()].toSorted((a, b) => (sessions[a]?.bytes ?? 0) - (sessions[b]?.bytes ?? 0))
  const workers = Math.max(
    1,
    Math.min(options.workers ?? Math.min(availableParallelism(), MAX_WORKERS), sessions.length),
  )
  const tell = createTeller(sessions, onProgress)

  async function work(): Promise<void> {
    let thread: AuditThread | null = null
    try {
      for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
        signal.throwIfAborted()
        const found = sessions[index]
        if (found === undefined) continue
        const place = index
        if (thread !== null && !thread.isFitFor(found)) {
          await thread.close()
          thread = null
        }
        thread ??= createAuditThread(found, { windowTokens })
        audited[index] = await thread.audit(found, { onProgress: (bytes) => tell(place, bytes), signal })
        tell(place, found.bytes)
        if (thread.hasEnded()) thread = null
      }
    } finally {
      await thread?.close()
    }
  }

  const working = Array.from({ length: sessions.length === 0 ? 0 : workers }, work)
  // All threads have ended when this is over, whichever of them failed.
  await Promise.allSettled(working)
  signal.throwIfAborted()
  await Promise.all(working)
  return audited
}

/** Adds up what each session has told; a packed file tells more bytes than it has. */
function createTeller(
  sessions: readonly FoundSession[],
  onProgress: AuditOptions['onProgress'],
): (index: number, bytes: number) => void {
  const all = sessions.reduce((sum, { bytes }) => sum + bytes, 0)
  const done = new Map<number, number>()
  let sum = 0
  return (index, bytes) => {
    const before = done.get(index) ?? 0
    const now = Math.min(sessions[index]?.bytes ?? 0, Math.max(before, bytes))
    done.set(index, now)
    sum += now - before
    if (now > before) onProgress?.(all === 0 ? 1 : sum / all)
  }
}
