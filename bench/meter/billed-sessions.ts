import type { Entry } from '@longhaul/engine/advanced'
import { loadDataSets } from '../data-sets.ts'

/** Whose program wrote the transcript: Claude Code's lacks part of what the model was sent. */
export type Origin = 'pi' | 'claude-code'

export interface BilledSession {
  readonly origin: Origin
  readonly entries: readonly Entry[]
}

const FILES: Readonly<Record<Origin, readonly string[]>> = {
  pi: ['pi/before-compaction.jsonl'],
  'claude-code': ['258c7280', '4d5611e5', 'short', 'subagent', 'tool_heavy'].map((name) => `claude-code/${name}.jsonl`),
}

/** Real conversations with the provider's bills. */
export function loadBilledSessions(note: (line: string) => void): readonly BilledSession[] {
  return (['pi', 'claude-code'] as const).flatMap((origin) =>
    loadDataSets(FILES[origin], note)
      .map(({ entries }) => ({ origin, entries: origin === 'pi' ? entries.filter(isResent) : entries }))
      .filter(({ entries }) => entries.some((entry) => entry.type === 'message' && (entry.usage?.input ?? 0) > 0)),
  )
}

/** Answers that failed or were cancelled stay in pi's transcripts, but pi never sends them again. */
function isResent(entry: Entry): boolean {
  return entry.type !== 'message' || (entry.finish !== 'aborted' && entry.finish !== 'error')
}
