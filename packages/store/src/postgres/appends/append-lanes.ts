import { StoreError } from '../../store-error.ts'
import type { AppendStatement } from './append-statement.ts'
import type { Database } from '../database/database.ts'
import { prepareStatement } from '../database/prepared-statement.ts'
import type { PreparedStatement } from '../database/prepared-statement.ts'
import { listParameters } from '../database/row-values.ts'
import type { Tables } from '../database/tables.ts'
import { ENTRY_COLUMNS, ENTRY_TYPES } from './entry-rows.ts'

/** Resolves to false if the append was refused. */
export type StoreAppend = (append: AppendStatement) => Promise<boolean>

/** So many statements are under way at once. Whoever comes meanwhile waits for the next one, together with others. */
const MAX_LANES = 8
/** How many appends may share a statement; few sizes, because each is kept planned on every connection. */
const SIZES = [16, 8, 4, 2]

/**
 * One statement for the appends of many sessions costs hardly more than one for a single append, so a busy server does not
 * need a connection for each session. It is a short cut and decides nothing: whatever it leaves out – because the session
 * has moved, or somebody holds its row – and whatever makes it fail goes its own way afterwards.
 */
export function createAppendLanes({ tables, write, change, poolSize }: Database): StoreAppend {
  const lanes = Math.min(MAX_LANES, poolSize)
  const together = new Map(SIZES.map((size) => [size, prepareStatement(writeTogether(tables, size))]))
  const waiting: Waiting[] = []
  let busyLanes = 0

  const storeAlone = async ({ append, resolve, reject }: Waiting): Promise<void> => {
    await change(append.statement, append.values).then((count) => resolve(count > 0), reject)
  }
  const storeTogether = async (group: readonly Waiting[], statement: PreparedStatement): Promise<void> => {
    const values = group.flatMap(({ append }) => append.values)
    const stored = await write<{ session_id: string }>(statement, values).catch((error: unknown) => {
      if (isOneOfThem(error)) return []
      for (const { reject } of group) reject(error)
      return null
    })
    if (stored === null) return
    const ids = new Set(stored.map(({ session_id }) => session_id))
    for (const { append, resolve } of group) if (ids.has(append.sessionId)) resolve(true)
    await Promise.all(group.filter(({ append }) => !ids.has(append.sessionId)).map(storeAlone))
  }
  const runLane = async (): Promise<void> => {
    busyLanes += 1
    while (waiting.length > 0) {
      const group = takeGroup(waiting)
      const statement = together.get(group.length)
      await (statement === undefined ? Promise.all(group.map(storeAlone)) : storeTogether(group, statement))
    }
    busyLanes -= 1
  }
  return (append) =>
    new Promise((resolve, reject) => {
      waiting.push({ append, resolve, reject })
      if (busyLanes < lanes) void runLane()
    })
}

interface Waiting {
  readonly append: AppendStatement
  readonly resolve: (isStored: boolean) => void
  readonly reject: (error: unknown) => void
}

/** One of them cannot be stored, but the others may: an id that is taken, a text that the database does not hold. */
function isOneOfThem(error: unknown): boolean {
  return error instanceof StoreError && error.code !== 'unavailable' && error.code !== 'closed'
}

/** Takes the first, and those that can go with it: simple ones of other sessions. */
function takeGroup(waiting: Waiting[]): readonly Waiting[] {
  const [first] = waiting
  const sessions = new Set<string>()
  const fitting = waiting.filter(({ append: { isSimple, sessionId } }) => {
    const isNew = isSimple && !sessions.has(sessionId)
    sessions.add(sessionId)
    return isNew
  })
  const size = first?.append.isSimple === true ? (SIZES.find((count) => count <= fitting.length) ?? 1) : 1
  const group = new Set(size === 1 ? waiting.slice(0, 1) : fitting.slice(0, size))
  const left = waiting.filter((one) => !group.has(one))
  waiting.splice(0, waiting.length, ...left)
  return [...group]
}

/** The values of a simple append, in their order. */
const COLUMNS =
  'id, token, owner_id, last_seq, head, next_seq, epoch, updated_at, preview, seq, entry_id, at, type, body'
const TYPES = ['text', 'bigint', 'text', 'bigint', 'text', 'bigint', 'bigint', 'bigint', 'text', ...ENTRY_TYPES]

function writeTogether({ sessions, entries }: Tables, size: number): string {
  const isCurrent = `s.id = g.id and s.lease_token = g.token and s.lease_owner_id = g.owner_id and s.last_seq = g.last_seq`
  return `with given (${COLUMNS}) as (values ${listParameters(TYPES, size, 1)}),
    free as (select s.id from ${sessions} s join given g on ${isCurrent} for no key update of s skip locked),
    moved as (
      update ${sessions} s set
        head = g.head, last_seq = g.next_seq, epoch = g.epoch,
        updated_at = greatest(s.updated_at, g.updated_at), preview = coalesce(g.preview, s.preview)
      from given g join free on free.id = g.id where ${isCurrent}
      returning s.id
    )
    insert into ${entries} (session_id, ${ENTRY_COLUMNS})
    select g.id, g.seq, g.entry_id, g.at, g.type, g.body from given g join moved on moved.id = g.id
    returning session_id`
}
