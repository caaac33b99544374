import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { readTranscripts } from '@longhaul/store/jsonl'
import type { ImportedSession } from '@longhaul/store/jsonl'
import { describeError } from './find-transcripts.ts'
import { readPieces } from './read-pieces.ts'
import type { Piece } from './read-pieces.ts'
import { isDamage } from './transcript-file.ts'
import type { TranscriptFile, TranscriptPart, TranscriptProblem } from './transcript-file.ts'

/** Larger files are read in pieces, so that no conversation is too long. */
const WHOLE_BYTES = 16 * 1024 * 1024

/** The conversations of a file. What cannot be read is told, and the rest read all the same. */
export async function* readTranscriptFile(
  file: TranscriptFile,
  onProblem: (problem: TranscriptProblem) => void,
): AsyncIterable<TranscriptPart> {
  const { path, bytes } = file
  const tell = (error: unknown): void => onProblem({ file: path, line: null, reason: describeError(error) })
  const pieces = bytes <= WHOLE_BYTES || path.endsWith('.json') ? readWhole(file) : readPieces(path)
  try {
    for await (const piece of pieces) {
      let parts: readonly TranscriptPart[] = []
      try {
        parts = readPiece(piece, path, onProblem)
      } catch (error) {
        tell(error)
      }
      yield* parts
    }
  } catch (error) {
    tell(error)
  }
}

async function* readWhole({ path, bytes }: TranscriptFile): AsyncIterable<Piece> {
  yield { text: await readFile(path, 'utf8'), bytes, isNext: false, lineOf: (line) => line }
}

function readPiece(
  { text, bytes, isNext, lineOf }: Piece,
  path: string,
  onProblem: (problem: TranscriptProblem) => void,
): readonly TranscriptPart[] {
  const sessions = readTranscripts(text)
  return sessions.map((imported, place) => {
    for (const skipped of imported.skipped.filter(isDamage)) {
      onProblem({ file: path, line: lineOf(skipped.line), reason: skipped.reason })
    }
    const { entries } = imported
    const session = { ...imported.session, title: nameOf(imported, path, sessions.length) }
    return { session, entries, continues: isNext && place === 0, bytes: bytes / sessions.length }
  })
}

/** A title tells most; else the file, and which of its conversations. */
function nameOf({ session }: ImportedSession, path: string, count: number): string {
  return session.title ?? (count === 1 ? basename(path) : `${basename(path)} ${session.id}`)
}
