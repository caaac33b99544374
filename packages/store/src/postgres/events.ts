import type { Events } from '../port/events.ts'
import { parseObject } from '../records/entry-text.ts'
import { clampLimit } from '../records/page.ts'
import { StoreError } from '../store-error.ts'
import type { Changes } from './changes.ts'
import type { Database } from './database/database.ts'
import { toKey, toWhole } from './database/keys.ts'
import { prepareStatement } from './database/prepared-statement.ts'
import type { Tables } from './database/tables.ts'
import { leaseLost } from './leases.ts'

export function createPostgresEvents({ tables, read, write, change }: Database, changes: Changes): Events {
  const addStatement = prepareStatement(writeAdd(tables, ''))
  const addAsOwnerStatement = prepareStatement(
    writeAdd(
      tables,
      // Whoever takes the session over waits until this is done, or it is refused.
      `, held as (
        select id from ${tables.sessions} where id = $1 and lease_token = $4 and lease_owner_id = $5 for share
      )`,
    ),
  )
  return {
    async add(sessionId, at, events, lease) {
      const values = [toKey(sessionId), at, events.map((event) => JSON.stringify(event))]
      const [row] = await (lease === undefined
        ? write<{ last_id: number }>(addStatement, values)
        : write<{ last_id: number }>(addAsOwnerStatement, [...values, lease.token, lease.ownerId]))
      if (row === undefined) {
        if (lease !== undefined) throw leaseLost(lease)
        throw new StoreError('not-found', `There is no session ${sessionId}.`)
      }
      if (events.length > 0) changes.emit({ sessionId, what: 'events' })
      return row.last_id
    },
    async read(sessionId, after, limit) {
      const rows = await read<{ id: number; at: number; event: string }>(
        `select id, at, event from ${tables.events} where session_id = $1 and id > $2
        order by id limit ${clampLimit(limit)}`,
        [toKey(sessionId), toWhole(after)],
      )
      return rows.map(({ id, at, event }) => ({
        id,
        at,
        event: parseObject(event, `Event ${id} of session ${sessionId}`),
      }))
    },
    async getLastId(sessionId) {
      const [row] = await read<{ last_id: number }>(
        `select last_id from ${tables.event_counters} where session_id = $1`,
        [toKey(sessionId)],
      )
      return row?.last_id ?? 0
    },
    async deleteBefore(at) {
      return change(`delete from ${tables.events} where at < $1`, [at])
    },
  }
}

/** Whoever else adds waits at the counter until this is committed: so ids appear in their order. Not synced to disk. */
function writeAdd(tables: Tables, held: string): string {
  const isHeld = held === '' ? '' : 'and c.session_id = held.id'
  return `with unsynced as (select set_config('synchronous_commit', 'off', true))${held},
    counted as (
      update ${tables.event_counters} c set last_id = c.last_id + cardinality($3::text[])
      from unsynced${held === '' ? '' : ', held'}
      where c.session_id = $1 ${isHeld} returning c.session_id, c.last_id
    ),
    added as (
      insert into ${tables.events} (session_id, id, at, event)
      select counted.session_id, counted.last_id - cardinality($3::text[]) + listed.place, $2, listed.event
      from counted, unnest($3::text[]) with ordinality listed (event, place)
    )
    select last_id from counted`
}
