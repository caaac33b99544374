import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ImportedSession } from '../jsonl/imported-session.ts'
import { readTranscripts } from '../jsonl/read-transcripts.ts'
import { StoreError } from '../store-error.ts'
import type { StoreErrorCode } from '../store-error.ts'

/** TypeScript here, JavaScript where the package is installed. */
const THREAD = new URL(`reading-thread${extname(import.meta.url)}`, import.meta.url)

/** Shorter texts are read in less time than a thread takes to start. */
const LONG_CHARS = 250_000

export interface TextRead {
  readonly sessions: readonly ImportedSession[]
  /** Of the text. */
  readonly sha256: string
}

/** What the thread tells of what it has read, a piece for each `next` it is sent. */
export type ReadPiece =
  | { readonly type: 'session'; readonly session: Pick<ImportedSession, 'format' | 'session'> }
  /** More of the last session. */
  | ({ readonly type: 'more' } & Partial<SessionLists>)
  | { readonly type: 'end'; readonly sha256: string }
  | { readonly type: 'refused'; readonly code: StoreErrorCode; readonly message: string }

export type SessionLists = Pick<ImportedSession, 'entries' | 'artifacts' | 'skipped'>

/** The sessions of a text. A long one is read in a thread of its own, so that nothing else this process does has to wait. */
export async function readText(text: string, signal?: AbortSignal): Promise<TextRead> {
  if (text.length > LONG_CHARS) return readInThread(text, signal)
  return { sessions: readTranscripts(text), sha256: hashText(text) }
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function readInThread(text: string, signal?: AbortSignal): Promise<TextRead> {
  signal?.throwIfAborted()
  const worker = new Worker(THREAD, { workerData: text })
  const sessions: Growing[] = []
  try {
    for (;;) {
      const piece = await askForPiece(worker, signal)
      switch (piece.type) {
        case 'session':
          sessions.push({ ...piece.session, entries: [], artifacts: [], skipped: [] })
          break
        case 'more':
          grow(sessions.at(-1), piece)
          break
        case 'end':
          return { sessions, sha256: piece.sha256 }
        case 'refused':
          throw new StoreError(piece.code, piece.message)
        default:
          piece satisfies never
      }
      // Pieces may come faster than one a turn.
      await nextTurn()
    }
  } finally {
    await worker.terminate()
  }
}

type Growing = Omit<ImportedSession, keyof SessionLists> & { [K in keyof SessionLists]: SessionLists[K][number][] }

function grow(
  session: Growing | undefined,
  { entries = [], artifacts = [], skipped = [] }: Partial<SessionLists>,
): void {
  session?.entries.push(...entries)
  session?.artifacts.push(...artifacts)
  session?.skipped.push(...skipped)
}

/** The first one is there when all is read: whoever gives up before that does not wait for it. */
async function askForPiece(worker: Worker, signal?: AbortSignal): Promise<ReadPiece> {
  const answered = new AbortController()
  const over = { signal: AbortSignal.any(signal === undefined ? [answered.signal] : [answered.signal, signal]) }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage('next')
  try {
    // Both reject if the thread fails.
    const [piece] = (await Promise.race([once(worker, 'message', over), failAtEnd(worker, over)])) as [ReadPiece]
    return piece
  } catch (error) {
    signal?.throwIfAborted()
    throw toStoreError(error)
  } finally {
    answered.abort()
  }
}

async function failAtEnd(worker: Worker, over: { readonly signal: AbortSignal }): Promise<never> {
  const [code] = (await once(worker, 'exit', over)) as [number]
  throw new Error(`The thread that reads the transcript ended with ${code}.`)
}

function toStoreError(error: unknown): unknown {
  const isTooMuch = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (!isTooMuch) return error
  return new StoreError('unavailable', 'The transcript takes more memory than there is. Split it.', { cause: error })
}
