import type { Entry } from '@longhaul/engine/advanced'
import type { Store } from '@longhaul/store/port'

const PAGE_ENTRIES = 50

/**
 * The entries that lead to a place of the log, newest first; without `to`, to the end: the branch in force. Entries of
 * other branches are passed over. A log without branches is simply read backwards.
 */
export async function* walkPathBack(
  { entries }: Pick<Store, 'entries'>,
  sessionId: string,
  { to: last = Infinity }: { readonly to?: number } = {},
): AsyncGenerator<Entry> {
  for (let to = last; to >= 1;) {
    const range = { fromEnd: true, limit: PAGE_ENTRIES, ...(to === Infinity ? {} : { to }) }
    const page = await entries.read(sessionId, range)
    const [first] = page
    if (first === undefined) return
    to = first.seq - 1
    let next = Infinity
    for (const entry of page.toReversed()) {
      if (entry.seq > next) continue
      yield entry
      if (entry.type !== 'branch') continue
      // A damaged entry may point at itself or at a later one.
      next = entry.to === null || entry.to.seq >= entry.seq ? 0 : entry.to.seq
      to = Math.min(to, next)
    }
  }
}
