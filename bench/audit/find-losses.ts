import { auditSession } from '@longhaul/audit'
import type { AgentSession, LostFact, SessionAudit } from '@longhaul/audit'

/** A loss with the transcript that it was found in. */
export interface FoundLoss extends LostFact {
  readonly file: string
  readonly session: string
}

export interface AuditedFile {
  readonly file: string
  readonly audits: readonly SessionAudit[]
  readonly losses: readonly FoundLoss[]
  readonly ms: number
}

/** Audits sessions one after the other, file by file. */
export async function auditFiles(sessions: readonly AgentSession[]): Promise<readonly AuditedFile[]> {
  const { signal } = new AbortController()
  const files: AuditedFile[] = []
  for (const [file, group] of Map.groupBy(sessions, ({ path }) => path)) {
    const begin = performance.now()
    const audits: SessionAudit[] = []
    for (const session of group) audits.push(await auditSession(session, { signal }))
    const losses = audits.flatMap(({ id, compactions }) =>
      compactions.flatMap(({ lost }) => lost.map((loss) => ({ file, session: id, ...loss }))),
    )
    files.push({ file, audits, losses, ms: performance.now() - begin })
  }
  return files
}
