import { setImmediate as nextTurn } from 'node:timers/promises'
import { createState, foldEntries } from '@longhaul/engine/advanced'
import type { Entry, Head, State } from '@longhaul/engine/advanced'
import type { NewSession } from '../port/sessions.ts'
import { checkEntries } from './check-append.ts'
import { findPreview, moveUpdatedAt } from './describe-session.ts'
import { withoutContent } from './without-content.ts'

/** What the entries of a new session come to. */
export interface NewDescription {
  readonly head: Head
  readonly preview: string | null
  readonly updatedAt: number
}

/** So many entries are stored in one step: a few milliseconds. */
const ENTRIES_AT_ONCE = 500

/** The entries where they are few, so that one step stores them; null: they are many, or come in pieces. */
export function fewEntries({ entries = [] }: Pick<NewSession, 'entries'>): readonly Entry[] | null {
  return Array.isArray(entries) && entries.length <= ENTRIES_AT_ONCE ? (entries as readonly Entry[]) : null
}

/** The entries in pieces that one step can store, with a turn of the event loop after each. */
export async function* piecesOf({ entries = [] }: Pick<NewSession, 'entries'>): AsyncGenerator<readonly Entry[]> {
  if (!Array.isArray(entries)) yield* entries as AsyncIterable<readonly Entry[]>
  const list: readonly Entry[] = Array.isArray(entries) ? entries : []
  for (let from = 0; from < list.length; from += ENTRIES_AT_ONCE) {
    yield list.slice(from, from + ENTRIES_AT_ONCE)
    await nextTurn()
  }
}

export interface Describer {
  /** Checks that the entries continue those before, and folds them. */
  add(entries: readonly Entry[]): void
  describe(): NewDescription
}

export function createDescriber({ createdAt }: Pick<NewSession, 'createdAt'>): Describer {
  let state: State = createState()
  let preview: string | null = null
  let last: readonly Entry[] = []
  return {
    add(entries) {
      checkEntries(entries, state.head.lastSeq + 1)
      state = foldEntries(entries.map(withoutContent), state)
      preview = findPreview(entries) ?? preview
      if (entries.length > 0) last = entries.slice(-1)
    },
    describe: () => ({ head: state.head, preview, updatedAt: moveUpdatedAt(createdAt, last) }),
  }
}
