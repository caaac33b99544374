import { createState, foldEntry } from '@longhaul/engine/advanced'
import { findPreview } from '../records/describe-session.ts'
import { withoutContent } from '../records/without-content.ts'
import type { Database } from './database/database.ts'
import { PLACES_PER_SESSION, placeOf } from './database/place.ts'
import { readEntryRow } from './rows/entry-rows.ts'
import type { EntryRow } from './rows/entry-rows.ts'
import { createSessionKeys } from './rows/session-keys.ts'
import { prepareDescribe } from './rows/session-rows.ts'
import type { SessionRow } from './rows/session-rows.ts'

/** In one transaction: an entry that came in between would not be in the fold. */
export function createHeadRepair(db: Database): (sessionId: string) => Promise<void> {
  const { connection } = db
  const keys = createSessionKeys(connection)
  const entries = connection.prepare('SELECT place, entry FROM entries WHERE place > ? AND place < ? ORDER BY place')
  const session = connection.prepare('SELECT updated_at, header FROM sessions WHERE key = ?')
  const describe = prepareDescribe(connection)

  function repair(sessionId: string): void {
    const key = keys.get(sessionId)
    let state = createState()
    let preview: string | null = null
    const rows = entries.iterate(placeOf(key, 0), placeOf(key, PLACES_PER_SESSION)) as unknown as Iterable<EntryRow>
    for (const row of rows) {
      const entry = readEntryRow(row, sessionId)
      state = foldEntry(state, withoutContent(entry))
      preview = findPreview([entry]) ?? preview
    }
    const row = session.get(key) as unknown as Pick<SessionRow, 'updated_at' | 'header'>
    describe(key, row.header, { head: state.head, preview, updatedAt: row.updated_at })
  }

  return (sessionId) => db.write(() => repair(sessionId))
}
