import { createHash } from 'node:crypto'
import type { Entry } from '@longhaul/engine/advanced'
import type { ImportedSession, TranscriptArtifact } from '../jsonl/imported-session.ts'
import { createTranscriptReader } from '../jsonl/read-transcripts.ts'
import { checkEntries } from '../records/check-append.ts'

/** A session that was read, without its entries and artifacts: those are asked for, a piece at a time. */
export interface SessionOutline extends Pick<ImportedSession, 'format' | 'session' | 'skipped'> {
  readonly entryCount: number
  readonly artifactCount: number
  /** The `seq` of the last entry; 0 where there is none. */
  readonly lastSeq: number
}

/** All that a text holds. It is held whole only here: in a thread of its own, where the text is long. */
export interface TextHolder {
  add(piece: string): void
  /** Throws where a session could not be stored. */
  finish(): { readonly outlines: readonly SessionOutline[]; readonly sha256: string }
  /** Some entries from this place on, counted from 0: as many as one turn of an event loop may take. */
  entriesFrom(session: number, from: number): readonly Entry[]
  artifactsOf(session: number): readonly TranscriptArtifact[]
}

const PIECE_ENTRIES = 500
const PIECE_CHARS = 500_000

export function createTextHolder(): TextHolder {
  const reader = createTranscriptReader()
  const hash = createHash('sha256')
  let sessions: readonly ImportedSession[] = []
  return {
    add(piece) {
      reader.add(piece)
      hash.update(piece)
    },
    finish() {
      sessions = reader.finish()
      for (const { entries } of sessions) checkEntries(entries, 1)
      return { outlines: sessions.map(toOutline), sha256: hash.digest('hex') }
    },
    entriesFrom: (session, from) => cutPiece(sessions[session]?.entries ?? [], from),
    artifactsOf: (session) => sessions[session]?.artifacts ?? [],
  }
}

function toOutline({ format, session, skipped, entries, artifacts }: ImportedSession): SessionOutline {
  const counts = { entryCount: entries.length, artifactCount: artifacts.length, lastSeq: entries.at(-1)?.seq ?? 0 }
  return { format, session, skipped: skipped.slice(0, MAX_SKIPPED), ...counts }
}

/** Some formats list messages that were left out on purpose: that list is as long as the text. */
const MAX_SKIPPED = 2_000

function cutPiece(entries: readonly Entry[], from: number): readonly Entry[] {
  const piece: Entry[] = []
  let chars = 0
  for (let index = from; index < entries.length && piece.length < PIECE_ENTRIES && chars < PIECE_CHARS; index += 1) {
    const entry = entries[index]
    if (entry === undefined) break
    piece.push(entry)
    chars += JSON.stringify(entry).length
  }
  return piece
}
