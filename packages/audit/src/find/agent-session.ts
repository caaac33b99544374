import type { ImportedSession } from '@longhaul/store/jsonl'
import type { AgentName } from '../report/audit-report.ts'

/** A file, or a session in a database, where an agent keeps what was said. */
export interface FoundSession {
  readonly agent: AgentName | 'other'
  /** The file; of a database, the file and the session in it, as `file#session`. */
  readonly path: string
  readonly bytes: number
  /** Milliseconds since 1970, UTC. */
  readonly changedAt: number
}

/** A session as its agent kept it, with everything that was said, before and after its compactions. */
export interface AgentSession extends FoundSession {
  readonly imported: ImportedSession
  readonly parentId: string | null
  /** Where the agent wrote its window down. */
  readonly windowTokens: number | null
}
