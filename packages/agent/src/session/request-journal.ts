import { storeManifest } from '@longhaul/engine'
import type { JsonObject, Manifest } from '@longhaul/engine'
import type { Requests } from '@longhaul/store/port'
import { describeError } from '../agent-error.ts'
import type { LogLine } from '../port/agent-options.ts'

/** What explains a request, without its number. */
type UnnumberedManifest = Omit<Manifest, 'number'>

/** The manifests of one session. They explain; writing them holds no request up, and one that is lost stops nothing. */
export interface RequestJournal {
  /** Returns the number it was given. */
  note(manifest: UnnumberedManifest): Promise<number>
  settle(number: number, outcome: JsonObject): void
  /** Resolves once everything noted so far is stored, or given up. */
  drain(): Promise<void>
}

export interface RequestJournalOptions {
  readonly requests: Requests
  readonly sessionId: string
  readonly log: (line: LogLine) => void
}

export function createRequestJournal({ requests, sessionId, log }: RequestJournalOptions): RequestJournal {
  let last: { readonly number: number; readonly manifest: Manifest | null } | undefined
  let written: Promise<void> = Promise.resolve()

  /** Of the last owner; read once, because from then on this one writes. */
  async function findLast(): Promise<NonNullable<typeof last>> {
    try {
      const manifest = (await requests.getLast(sessionId))?.manifest ?? null
      // The last one may rest on one that was deleted; its number is taken all the same.
      return { manifest, number: manifest?.number ?? (await requests.getLastNumber(sessionId)) }
    } catch (error) {
      report(error)
      return { manifest: null, number: 0 }
    }
  }

  async function write(before: Promise<void>, run: () => Promise<void>): Promise<void> {
    await before
    try {
      await run()
    } catch (error) {
      report(error)
    }
  }

  function report(error: unknown): void {
    log({ level: 'warn', event: 'manifest-lost', message: `A request is not explained: ${describeError(error)}` })
  }

  return {
    async note(unnumbered) {
      if (last === undefined) last = await findLast()
      const previous = last.manifest
      const manifest = { ...unnumbered, number: last.number + 1 }
      last = { number: manifest.number, manifest }
      written = write(written, () => requests.add(sessionId, storeManifest(manifest, previous)))
      return manifest.number
    },
    settle(number, outcome) {
      written = write(written, () => requests.settle(sessionId, number, outcome))
    },
    drain: () => written,
  }
}
