import type { JsonObject } from '../transcript/json.ts'
import type { Usage } from '../transcript/message.ts'
import { storeManifest } from './manifest.ts'
import type { Manifest, StoredManifest } from './manifest.ts'

/** A store's table of manifests, as far as a journal uses it. */
export interface ManifestTable {
  add(sessionId: string, manifest: StoredManifest): Promise<void>
  settle(sessionId: string, number: number, outcome: JsonObject): Promise<void>
  getLast(sessionId: string): Promise<{ readonly manifest: Manifest } | null>
  getLastNumber(sessionId: string): Promise<number>
  /** Newest first. */
  list(
    sessionId: string,
    page: { readonly limit?: number },
  ): Promise<{ readonly items: readonly { readonly manifest: Manifest }[] }>
}

/** A manifest that has no number yet. */
type UnnumberedManifest = Omit<Manifest, 'number'>

/** The manifests of one session. They explain; writing them holds no request up, and one that is lost stops nothing. */
export interface RequestJournal {
  /** Returns the number it was given. */
  note(manifest: UnnumberedManifest): Promise<number>
  /** `result` is how the answer ended, or the kind of failure. */
  settle(number: number, result: string, usage: Usage | null): void
  /** Resolves once everything noted so far is stored, or given up. */
  drain(): Promise<void>
}

export interface RequestJournalOptions {
  readonly requests: ManifestTable
  readonly sessionId: string
  /** Called when a manifest could not be stored. */
  readonly onLost: (error: unknown) => void
}

/** So many calls beside the conversation may have come last; behind more than these, the cache report starts anew. */
const ASIDES = 50

export function createRequestJournal({ requests, sessionId, onLost }: RequestJournalOptions): RequestJournal {
  let lastNumber = 0
  /** Of the conversation itself: only those follow on from each other. */
  let lastTurn: Manifest | null = null
  let opened: Promise<void> | null = null
  let written: Promise<void> = Promise.resolve()

  /** What the last owner left; read once, because from then on this one writes. */
  async function open(): Promise<void> {
    try {
      const last = (await requests.getLast(sessionId))?.manifest ?? null
      // The last one may rest on one that was deleted; its number is taken all the same.
      lastNumber = last?.number ?? (await requests.getLastNumber(sessionId))
      lastTurn = last === null || isTurn(last) ? last : await findLastTurn()
    } catch (error) {
      onLost(error)
    }
  }

  async function findLastTurn(): Promise<Manifest | null> {
    const { items } = await requests.list(sessionId, { limit: ASIDES })
    return items.find(({ manifest }) => isTurn(manifest))?.manifest ?? null
  }

  async function write(before: Promise<void>, run: () => Promise<void>): Promise<void> {
    await before
    try {
      await run()
    } catch (error) {
      onLost(error)
    }
  }

  return {
    async note(unnumbered) {
      // Summaries and titles are asked for beside a turn: each gets a number of its own.
      await (opened ??= open())
      lastNumber += 1
      const manifest = { ...unnumbered, number: lastNumber }
      const stored = storeManifest(manifest, lastTurn)
      if (isTurn(manifest)) lastTurn = manifest
      written = write(written, () => requests.add(sessionId, stored))
      return manifest.number
    },
    settle(number, result, usage) {
      const outcome = usage === null ? { result } : { result, usage: { ...usage } }
      written = write(written, () => requests.settle(sessionId, number, outcome))
    },
    drain: () => written,
  }
}

function isTurn({ purpose }: Pick<Manifest, 'purpose'>): boolean {
  return purpose === undefined
}
