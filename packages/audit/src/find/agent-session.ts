import type { SkippedLine, Transcript } from '@longhaul/store/jsonl'
import type { AgentName } from '../report/audit-report.ts'

/** A file, or a session in a database, where an agent keeps what was said. */
export interface FoundSession {
  readonly agent: AgentName | 'other'
  /** The file; for a session in a database, the file and the session in it, as `file#session`. */
  readonly path: string
  readonly bytes: number
  /** Milliseconds since 1970, UTC. */
  readonly changedAt: number
}

/** A session as its agent kept it, with everything that was said, before and after its compactions. */
export interface AgentSession extends FoundSession {
  /**
   * A compaction's document begins with the summary. Texts that the agent put back beside it by itself, such as files that
   * it read again, follow in a section with the title `PUT_BACK`: the model had them as well.
   */
  readonly imported: AgentTranscript
  /** The session that sent this sub-agent; null for one that a person talked to. */
  readonly parentId: string | null
  /** Null where the agent did not write its window down. */
  readonly windowTokens: number | null
  /** By the id of the compaction's entry. */
  readonly recorded: ReadonlyMap<string, RecordedCompaction>
}

export interface AgentTranscript extends Transcript {
  /** Lines that could not be read and messages left out on purpose, each with the reason. */
  readonly skipped: readonly SkippedLine[]
}

/** The title of the section of a summary that the agent filled by itself, without its model. */
export const PUT_BACK = 'Put back by the agent'

/** The figures that an agent wrote down about a compaction; null where it wrote none. */
export interface RecordedCompaction {
  /** In the agent's own word, such as `auto` or `manual`. */
  readonly trigger: string | null
  readonly tokensBefore: number | null
  readonly tokensAfter: number | null
}
