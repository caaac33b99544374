import { once } from 'node:events'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { FoundSession } from '../find/agent-session.ts'
import type { AuditProblem, SessionAudit } from '../report/audit-report.ts'

/** TypeScript here, JavaScript where the package is installed. */
const THREAD = new URL(`audit-thread${extname(import.meta.url)}`, import.meta.url)

export interface ThreadSettings {
  readonly windowTokens: number | null
}

export type ThreadRequest = { readonly type: 'audit'; readonly found: FoundSession } | { readonly type: 'close' }

export type ThreadAnswer =
  | { readonly type: 'progress'; readonly bytes: number }
  | ({ readonly type: 'audited' } & Audited)

interface Audited {
  readonly sessions: readonly SessionAudit[]
  readonly problems: readonly AuditProblem[]
}

interface ThreadWatch {
  /** Bytes of the session that were read so far. */
  readonly onProgress: (bytes: number) => void
  readonly signal: AbortSignal
  /** A session that takes longer is given up. Default: by its size. */
  readonly limitMs?: number
}

/** A thread that audits one session after the other, within a memory of its own. */
export interface AuditThread {
  /** Whether its memory is large enough for a session, and not far larger than that needs. */
  isFitFor(found: FoundSession): boolean
  audit(found: FoundSession, watch: ThreadWatch): Promise<Audited>
  /** True once it has failed: the next session needs another thread. */
  hasEnded(): boolean
  close(): Promise<void>
}

/** The memory limit of a thread is a base plus a multiple of the size of the session that it reads. */
const BASE_MB = 128
const MB_PER_MB = 8
const MAX_MB = 8_192
const YOUNG_MB = 48
const MB = 1024 * 1024
/** Many times what the slowest sessions take on a busy machine: whatever takes longer was made to. */
const BASE_MS = 30_000
const MS_PER_MB = 2_000

export function createAuditThread(first: FoundSession, settings: ThreadSettings): AuditThread {
  const memoryMb = memoryFor(first)
  const worker = new Worker(THREAD, {
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
  })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  // A failure between two requests shows at the next one.
  worker.on('error', () => undefined)
  let hasEnded = false
  void ended.then(() => (hasEnded = true))

  return {
    isFitFor: (found) => memoryFor(found) <= memoryMb && memoryFor(found) * 2 > memoryMb,
    hasEnded: () => hasEnded,
    async audit(found, { onProgress, signal, limitMs = BASE_MS + (found.bytes / MB) * MS_PER_MB }) {
      const over = new AbortController()
      const either = AbortSignal.any([over.signal, signal])
      const listen = (answer: ThreadAnswer): void => {
        if (answer.type === 'progress') onProgress(answer.bytes)
      }
      worker.on('message', listen)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage({ type: 'audit', found } satisfies ThreadRequest)
      try {
        return await Promise.race([waitForAudit(worker, either), failAtEnd(worker, either), failLate(limitMs, either)])
      } catch (error) {
        signal.throwIfAborted()
        await worker.terminate()
        await ended
        return { sessions: [], problems: [{ path: found.path, line: null, reason: describeFailure(error) }] }
      } finally {
        over.abort()
        worker.off('message', listen)
      }
    },
    close: () => endThread(worker, ended),
  }
}

function memoryFor({ bytes }: FoundSession): number {
  return Math.min(MAX_MB, BASE_MB + Math.ceil(bytes / MB) * MB_PER_MB)
}

async function waitForAudit(worker: Worker, signal: AbortSignal): Promise<Audited> {
  for (;;) {
    const [answer] = (await once(worker, 'message', { signal })) as [ThreadAnswer]
    if (answer.type === 'audited') return { sessions: answer.sessions, problems: answer.problems }
  }
}

async function failAtEnd(worker: Worker, signal: AbortSignal): Promise<never> {
  const [code] = (await once(worker, 'exit', { signal })) as [number]
  throw new Error(`The thread that reads it ended with ${code}.`)
}

async function failLate(limitMs: number, signal: AbortSignal): Promise<never> {
  await sleep(limitMs, undefined, { signal })
  throw new Error(`it takes longer than ${Math.ceil(limitMs / 1_000)} s`)
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isTooMuch = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isTooMuch ? 'it takes more memory than there is' : error.message
}

const ENDING_MS = 500

/**
 * Lets the thread end by itself: Node can crash the whole process when a thread is terminated (nodejs/node 56312). One
 * that is busy is terminated all the same.
 */
async function endThread(worker: Worker, ended: Promise<void>): Promise<void> {
  const answered = new AbortController()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage({ type: 'close' } satisfies ThreadRequest)
  const late = sleep(ENDING_MS, undefined, { signal: answered.signal }).catch(() => undefined)
  // A thread that has ended before has no number any more, and no second end.
  if (worker.threadId !== -1) await Promise.race([ended, late])
  answered.abort()
  if (worker.threadId !== -1) await worker.terminate()
}
