import { parentPort, workerData } from 'node:worker_threads'
import type { ImportedSession } from '../jsonl/imported-session.ts'
import { readTranscripts } from '../jsonl/read-transcripts.ts'
import { StoreError } from '../store-error.ts'
import { hashText } from './read-text.ts'
import type { ReadPiece, SessionLists } from './read-text.ts'

/** So many take whoever reads a piece a few milliseconds. */
const PIECE_ITEMS = 1_000

/** Started by `readText`. */
function* tellPieces(text: string): Generator<ReadPiece> {
  try {
    for (const session of readTranscripts(text)) yield* tellSession(session)
    yield { type: 'end', sha256: hashText(text) }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    yield { type: 'refused', code: error.code, message: error.message }
  }
}

function* tellSession({ format, session, ...lists }: ImportedSession): Generator<ReadPiece> {
  yield { type: 'session', session: { format, session } }
  for (const name of ['entries', 'artifacts', 'skipped'] as const satisfies readonly (keyof SessionLists)[]) {
    const list = lists[name]
    for (let from = 0; from < list.length; from += PIECE_ITEMS) {
      yield { type: 'more', [name]: list.slice(from, from + PIECE_ITEMS) }
    }
  }
}

const pieces = tellPieces(String(workerData))
parentPort?.on('message', () => {
  const { value, done } = pieces.next()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  if (done !== true) parentPort?.postMessage(value)
})
