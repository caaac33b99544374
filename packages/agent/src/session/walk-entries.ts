import type { Entry } from '@longhaul/engine/advanced'
import type { EntryRange, Store } from '@longhaul/store/port'

const PAGE_ENTRIES = 1_000

/** A stretch of the transcript in order, a page at a time: of any length, without holding it all. */
export async function* walkEntries(
  store: Pick<Store, 'entries'>,
  sessionId: string,
  { from = 1, to }: Pick<EntryRange, 'from' | 'to'> = {},
): AsyncGenerator<Entry> {
  for (let next = from; ;) {
    const range = { from: next, limit: PAGE_ENTRIES, ...(to === undefined ? {} : { to }) }
    const page = await store.entries.read(sessionId, range)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_ENTRIES) return
    next = last.seq + 1
  }
}
