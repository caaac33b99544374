import type { ImportedSession, SkippedLine } from '@longhaul/store/jsonl'

export interface TranscriptFile {
  readonly path: string
  readonly bytes: number
}

/** What could not be read. `line` null: the whole file. */
export interface TranscriptProblem {
  readonly file: string
  readonly line: number | null
  readonly reason: string
}

/** A conversation, or the next part of one that is too long to be held at once. */
export interface TranscriptPart extends Omit<ImportedSession, 'skipped' | 'artifacts' | 'format'> {
  /** It goes on where the part before ended. */
  readonly continues?: boolean | undefined
  /** How much of its file it is, for progress. */
  readonly bytes?: number | undefined
}

/** Left out on purpose by whoever reads a transcript, not because it was damaged. */
const ON_PURPOSE: ReadonlySet<string> = new Set([
  'on a branch that was left',
  'a side chain, the work of a sub-agent',
  'a command kept out of the context',
  'an edit of the context, which keeps the original here',
])

export function isDamage({ reason }: SkippedLine): boolean {
  return !ON_PURPOSE.has(reason)
}
