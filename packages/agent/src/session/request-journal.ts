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
  let last: Manifest | null | undefined
  let written: Promise<void> = Promise.resolve()

  /** Of the last owner; read once, because from then on this one writes. */
  async function findLast(): Promise<Manifest | null> {
    try {
      return (await requests.getLast(sessionId))?.manifest ?? null
    } catch (error) {
      report(error)
      return null
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
      const previous = last
      const manifest = { ...unnumbered, number: (previous?.number ?? 0) + 1 }
      last = manifest
      written = write(written, () => requests.add(sessionId, storeManifest(manifest, previous)))
      return manifest.number
    },
    settle(number, outcome) {
      written = write(written, () => requests.settle(sessionId, number, outcome))
    },
    drain: () => written,
  }
}
