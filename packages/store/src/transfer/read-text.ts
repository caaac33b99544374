import { once } from 'node:events'
import { extname } from 'node:path'
import { setTimeout as sleep, setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Entry } from '@longhaul/engine/advanced'
import type { TranscriptArtifact } from '../jsonl/imported-session.ts'
import { StoreError } from '../store-error.ts'
import type { StoreErrorCode } from '../store-error.ts'
import { createTextHolder } from './text-holder.ts'
import type { SessionOutline } from './text-holder.ts'

/** TypeScript here, JavaScript where the package is installed. */
const THREAD = new URL(`reading-thread${extname(import.meta.url)}`, import.meta.url)

/** Shorter texts are read in less time than a thread takes to start. */
const LONG_CHARS = 250_000

/** A text, or its pieces as they come. */
export type TextToRead = string | AsyncIterable<string>

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined
  /** How much the thread may hold that reads a long text; without it, as much as this process may. */
  readonly maxMemoryMb?: number | undefined
}

export interface TextRead {
  readonly sessions: readonly ReadSession[]
  /** The hash of the text. */
  readonly sha256: string
  /** Lets go of what was read. */
  close(): Promise<void>
}

export interface ReadSession extends SessionOutline {
  /** In order, some at a time; can be walked again. */
  readonly entries: AsyncIterable<readonly Entry[]>
  readArtifacts(): Promise<readonly TranscriptArtifact[]>
}

/**
 * The sessions of a text. A long one is read in a thread of its own, as it comes, and stays there until it is asked for:
 * nothing else that this process does has to wait, and no text is here as a whole.
 */
export async function readText(text: TextToRead, options: ReadOptions = {}): Promise<TextRead> {
  const { signal } = options
  signal?.throwIfAborted()
  let reader: Reader = createReaderHere()
  let chars = 0
  try {
    for await (const piece of cutPieces(text)) {
      chars += piece.length
      if (chars > LONG_CHARS && reader.isHere) reader = await moveToThread(reader, options)
      await reader.add(piece)
    }
    const { outlines, sha256 } = await reader.finish()
    return {
      sessions: outlines.map((outline, index) => toSession(reader, outline, index)),
      sha256,
      close: reader.close,
    }
  } catch (error) {
    await reader.close()
    signal?.throwIfAborted()
    throw error
  }
}

async function* cutPieces(text: TextToRead): AsyncGenerator<string> {
  if (typeof text !== 'string') {
    yield* text
    return
  }
  for (let from = 0, to; from < text.length; from = to) {
    to = from + LONG_CHARS
    // Not within a character: the hash is that of the whole text.
    if (/[\uD800-\uDBFF]/.test(text[to - 1] ?? '')) to += 1
    yield text.slice(from, to)
  }
}

function toSession(reader: Reader, outline: SessionOutline, index: number): ReadSession {
  return {
    ...outline,
    entries: {
      async *[Symbol.asyncIterator]() {
        let next = reader.entriesFrom(index, 0)
        for (let from = 0; from < outline.entryCount;) {
          const piece = await next
          from += piece.length
          // The next one is made ready meanwhile; whoever stops here does not hear of it.
          next = reader.entriesFrom(index, from)
          next.catch(() => undefined)
          yield piece
          // Pieces may come faster than one a turn.
          await nextTurn()
        }
        await next
      },
    },
    readArtifacts: () => reader.artifactsOf(index),
  }
}

/** A `TextHolder`, wherever it is. */
interface Reader {
  readonly isHere: boolean
  /** All that was added, for whoever takes over. */
  readonly pieces: readonly string[]
  readonly add: (piece: string) => Promise<void>
  readonly finish: () => Promise<{ readonly outlines: readonly SessionOutline[]; readonly sha256: string }>
  readonly entriesFrom: (session: number, from: number) => Promise<readonly Entry[]>
  readonly artifactsOf: (session: number) => Promise<readonly TranscriptArtifact[]>
  readonly close: () => Promise<void>
}

/** Reads nothing before the end: until then the text may turn out to be long. */
function createReaderHere(): Reader {
  const holder = createTextHolder()
  const pieces: string[] = []
  return {
    isHere: true,
    pieces,
    add: async (piece) => void pieces.push(piece),
    finish: async () => {
      for (const piece of pieces) holder.add(piece)
      return holder.finish()
    },
    entriesFrom: async (session, from) => holder.entriesFrom(session, from),
    artifactsOf: async (session) => holder.artifactsOf(session),
    close: async () => undefined,
  }
}

export type ThreadRequest =
  | { readonly type: 'text'; readonly piece: string }
  | { readonly type: 'end' }
  | { readonly type: 'entries'; readonly session: number; readonly from: number }
  | { readonly type: 'artifacts'; readonly session: number }
  | { readonly type: 'close' }

export type ThreadAnswer =
  | { readonly type: 'taken' }
  | { readonly type: 'read'; readonly outlines: readonly SessionOutline[]; readonly sha256: string }
  | { readonly type: 'entries'; readonly entries: readonly Entry[] }
  | { readonly type: 'artifacts'; readonly artifacts: readonly TranscriptArtifact[] }
  | { readonly type: 'refused'; readonly code: StoreErrorCode; readonly message: string }

async function moveToThread({ pieces }: Reader, { signal, maxMemoryMb }: ReadOptions): Promise<Reader> {
  const limits = maxMemoryMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb } }
  const worker = new Worker(THREAD, limits)
  const ask = async <T extends ThreadAnswer['type']>(request: ThreadRequest, type: T) => {
    const answer = await askThread(worker, request, signal)
    if (answer.type === 'refused') throw new StoreError(answer.code, answer.message)
    if (answer.type !== type) throw new Error(`The thread that reads answered ${answer.type} instead of ${type}.`)
    return answer as Extract<ThreadAnswer, { readonly type: T }>
  }
  const reader: Reader = {
    isHere: false,
    pieces: [],
    add: async (piece) => void (await ask({ type: 'text', piece }, 'taken')),
    finish: () => ask({ type: 'end' }, 'read'),
    entriesFrom: async (session, from) => (await ask({ type: 'entries', session, from }, 'entries')).entries,
    artifactsOf: async (session) => (await ask({ type: 'artifacts', session }, 'artifacts')).artifacts,
    close: () => endThread(worker),
  }
  try {
    for (const piece of pieces) await reader.add(piece)
    return reader
  } catch (error) {
    await reader.close()
    throw error
  }
}

const ENDING_MS = 500

/**
 * Lets the thread end by itself: Node can crash the whole process when a thread is terminated (nodejs/node 56312). One
 * that is busy or hangs is terminated all the same.
 */
async function endThread(worker: Worker): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  const answered = new AbortController()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage({ type: 'close' } satisfies ThreadRequest)
  const late = sleep(ENDING_MS, undefined, { signal: answered.signal }).catch(() => undefined)
  // A thread that has ended before has no number any more, and no second end.
  if (worker.threadId !== -1) await Promise.race([ended, late])
  answered.abort()
  if (worker.threadId !== -1) await worker.terminate()
}

/** One request at a time. Whoever gives up does not wait for the answer. */
async function askThread(worker: Worker, request: ThreadRequest, signal?: AbortSignal): Promise<ThreadAnswer> {
  const answered = new AbortController()
  const over = { signal: AbortSignal.any(signal === undefined ? [answered.signal] : [answered.signal, signal]) }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(request)
  try {
    // Both reject if the thread fails.
    const [answer] = (await Promise.race([once(worker, 'message', over), failAtEnd(worker, over)])) as [ThreadAnswer]
    return answer
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
