import type { Append, Entries } from '../port/entries.ts'
import { checkAppend } from '../records/check-append.ts'
import { parseEntry } from '../records/entry-text.ts'
import { StoreError } from '../store-error.ts'
import { createAppendLanes } from './appends/append-lanes.ts'
import { createWriteAppend } from './appends/append-statement.ts'
import type { Changes } from './changes.ts'
import type { Database } from './database/database.ts'
import { toKey } from './database/keys.ts'
import { insertEntries, readRange, writeEntries } from './appends/entry-rows.ts'
import type { EntryRow } from './appends/entry-rows.ts'
import { leaseLost } from './leases.ts'
import type { WordIndex } from './full-text/word-index.ts'

export function createPostgresEntries(database: Database, changes: Changes, wordIndex: WordIndex): Entries {
  const { tables, read, transaction, clock } = database
  const writeAppend = createWriteAppend(tables)
  const storeAppend = createAppendLanes(database)
  return {
    async append(append) {
      checkAppend(append)
      const { lease, entries, settles = [] } = append
      const { sessionId } = lease
      const [first = [], ...rest] = writeEntries(entries)
      const written = writeAppend(append, first, clock())
      const isStored =
        rest.length === 0
          ? await storeAppend(written)
          : await transaction(async (query, change) => {
              if ((await change(written.statement, written.values)) === 0) return false
              for (const part of rest) await insertEntries(query, tables, sessionId, part)
              return true
            })
      if (!isStored) throw await explainRefusal(database, append)
      if (settles.length > 0) changes.emit({ sessionId, what: 'inbox' })
      if (entries.length === 0) return
      changes.emit({ sessionId, what: 'entries' })
      wordIndex.note(sessionId)
    },
    read: (sessionId, range) => readRange(read, tables, sessionId, range),
    async readAt(sessionId, seqs) {
      const wanted = seqs.filter((seq) => Number.isSafeInteger(seq))
      const rows = await read<EntryRow>(
        `select seq, body from ${tables.entries} where session_id = $1 and seq = any ($2::bigint[]) order by seq`,
        [toKey(sessionId), wanted],
      )
      return rows.map(({ seq, body }) => parseEntry(body, sessionId, seq))
    },
    async find(sessionId, entryId) {
      const [row] = await read<EntryRow>(`select seq, body from ${tables.entries} where session_id = $1 and id = $2`, [
        toKey(sessionId),
        toKey(entryId),
      ])
      return row === undefined ? null : parseEntry(row.body, sessionId, row.seq)
    },
  }
}

async function explainRefusal({ tables, read }: Database, { lease, entries, head }: Append): Promise<StoreError> {
  const { sessionId, token, ownerId } = lease
  const [row] = await read<{ last_seq: number }>(
    `select last_seq from ${tables.sessions} where id = $1 and lease_token = $2 and lease_owner_id = $3`,
    [toKey(sessionId), token, ownerId],
  )
  if (row === undefined) return leaseLost(lease)
  const first = head.lastSeq - entries.length + 1
  if (first !== row.last_seq + 1) {
    return new StoreError(
      'out-of-order',
      `The append begins with seq ${first}, but ${row.last_seq + 1} is next in session ${sessionId}.`,
    )
  }
  return new StoreError('epoch-passed', `Session ${sessionId} has moved on since this was prepared. Plan it anew.`)
}
