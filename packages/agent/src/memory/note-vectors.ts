import { redactSecrets } from '@longhaul/engine/advanced'
import type { Embedder } from '@longhaul/models/port'
import type { Memory, MemoryHit, NearQuery } from '@longhaul/store/port'
import type { LogLine } from '../port/agent-options.ts'

export interface NoteVectorsOptions {
  readonly store: Memory
  readonly embedder: Embedder
  readonly now: () => number
  readonly log: (line: LogLine) => void
}

/** Notes by what they mean. What goes wrong with the embedding model is logged and holds up nobody. */
export interface NoteVectors {
  /** Gives new notes their vectors, in the background. */
  catchUp(): void
  /** Nearest first; nothing where the model does not answer. */
  search(query: string, options: Pick<NearQuery, 'kinds' | 'limit'>): Promise<readonly MemoryHit[]>
  close(): Promise<void>
}

const BATCH_TEXTS = 64
/** Somebody waits for the answer, and can have one without it. */
const QUERY_TIMEOUT_MS = 5_000
/** After a failure the model is left alone for so long: else every search would wait for it in vain. */
const REST_MS = 60_000

export function createNoteVectors({ store, embedder, now, log }: NoteVectorsOptions): NoteVectors {
  const { model } = embedder
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let isMoreDue = false
  let restUntil = 0

  async function embedNotes(): Promise<void> {
    const done = new Set<string>()
    for (;;) {
      const listed = await store.listWithoutVector(model, BATCH_TEXTS)
      // Never the same twice: a store that keeps no vectors would have it all paid for again and again.
      const texts = listed.filter((text) => text.trim() !== '' && !done.has(text))
      if (texts.length === 0) return
      // Files may hold what was written by hand: their secrets are nobody else's business.
      const vectors = await embedder.embed({ texts: texts.map(redactSecrets) }, stopping.signal)
      for (const text of texts) done.add(text)
      await store.putVectors(
        model,
        texts.map((text, index) => ({ text, vector: vectors[index] ?? [] })),
      )
      log({ level: 'debug', event: 'notes-embedded', message: `${texts.length} notes have got vectors.`, model })
    }
  }

  async function catchUp(): Promise<void> {
    do {
      isMoreDue = false
      await embedNotes().catch(rest)
    } while (isMoreDue && isReady())
    running = null
  }

  function isReady(): boolean {
    return !stopping.signal.aborted && now() >= restUntil
  }

  function rest(error: unknown): void {
    if (stopping.signal.aborted) return
    restUntil = now() + REST_MS
    const message = error instanceof Error ? error.message : String(error)
    log({ level: 'warn', event: 'embedding-failed', message: `Memory is searched by words alone: ${message}`, model })
  }

  return {
    catchUp() {
      isMoreDue = true
      if (running === null && isReady()) running = catchUp()
    },
    async search(query, options) {
      if (!isReady()) return []
      try {
        const call = { texts: [redactSecrets(query)], timeoutMs: QUERY_TIMEOUT_MS, maxRetries: 0 }
        const [vector = []] = await embedder.embed(call, stopping.signal)
        return await store.searchNear({ ...options, model, vector })
      } catch (error) {
        rest(error)
        return []
      }
    },
    async close() {
      stopping.abort()
      await running
    },
  }
}
