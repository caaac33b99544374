import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '@longhaul/engine/advanced'
import { readTranscripts } from '@longhaul/store'

/** Whose program wrote the transcript: Claude Code's lacks part of what the model was sent. */
export type Origin = 'pi' | 'claude-code'

export interface BilledSession {
  readonly origin: Origin
  readonly file: string
  readonly entries: readonly Entry[]
}

const ORIGINS: readonly Origin[] = ['pi', 'claude-code']
const folder = process.env['LONGHAUL_DATA_SETS'] ?? join(import.meta.dirname, '../../../shared/data')

/** Real conversations with the provider's bills. They do not come with the repository. */
export function loadBilledSessions(note: (line: string) => void): readonly BilledSession[] {
  const sessions = ORIGINS.flatMap((origin) => listFiles(origin).flatMap((file) => readSessions(origin, file)))
  if (sessions.length === 0) note(`left out: no transcripts with bills in ${folder}; set LONGHAUL_DATA_SETS`)
  return sessions
}

function listFiles(origin: Origin): readonly string[] {
  const place = join(folder, origin)
  if (!existsSync(place)) return []
  const names = readdirSync(place).filter((name) => name.endsWith('.jsonl'))
  return names.toSorted().map((name) => join(place, name))
}

function readSessions(origin: Origin, file: string): readonly BilledSession[] {
  return readTranscripts(readFileSync(file, 'utf8'))
    .map(({ entries }) => ({ origin, file, entries: origin === 'pi' ? entries.filter(isResent) : entries }))
    .filter(({ entries }) => entries.some((entry) => entry.type === 'message' && (entry.usage?.input ?? 0) > 0))
}

/** Answers that failed or were cancelled stay in pi's transcripts, but pi never sends them again. */
function isResent(entry: Entry): boolean {
  return entry.type !== 'message' || (entry.finish !== 'aborted' && entry.finish !== 'error')
}
