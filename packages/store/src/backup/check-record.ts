import { isRecord, readEntry } from '@longhaul/engine/advanced'
import type { DumpRecord } from '../port/dump.ts'
import type { InboxKind } from '../port/inbox.ts'
import type { MemoryKind } from '../port/memory.ts'

type Fields = Readonly<Record<string, unknown>>

/** Says what is wrong with the next record of a dump, null if nothing is. Remembers what came before it. */
export type CheckRecord = (value: Fields) => string | null

/** Everything a store relies on when it loads a dump: shapes, times, and that nothing hangs in the air. */
export function createRecordCheck(): CheckRecord {
  const lastSeqs = new Map<string, number>()
  return (value) => {
    const { type: kind } = value
    if (!isOneOf(SHAPES, kind)) return `a record of the unknown type ${JSON.stringify(kind)}`
    const { name, isWhole } = SHAPES[kind]
    if (!isWhole(value)) return `${name} that cannot be read`
    const record = value as DumpRecord
    if (record.type === 'session') {
      if (lastSeqs.has(record.id)) return `session ${record.id} a second time`
      lastSeqs.set(record.id, 0)
      return null
    }
    const sessionId = sessionOf(record)
    const last = sessionId === null ? null : lastSeqs.get(sessionId)
    if (last === undefined) return `${name} of a session that has not come before it`
    if (record.type !== 'entry') return null
    const { seq } = record.entry
    if (seq !== (last ?? 0) + 1) return `entry ${seq} of session ${record.sessionId}, but ${(last ?? 0) + 1} is next`
    lastSeqs.set(record.sessionId, seq)
    return null
  }
}

/** null: it belongs to no session. */
function sessionOf(record: Exclude<DumpRecord, { type: 'session' }>): string | null {
  if (record.type === 'learned' || record.type === 'memory') return null
  return record.type === 'inbox' ? record.item.sessionId : record.sessionId
}

interface Shape {
  readonly name: string
  readonly isWhole: (value: Fields) => boolean
}

const SHAPES: Readonly<Record<DumpRecord['type'], Shape>> = {
  session: {
    name: 'a session',
    isWhole: ({ id, createdAt, updatedAt, deletedAt, header }) =>
      isName(id) && isTime(createdAt) && isTime(updatedAt) && isTimeOrNull(deletedAt) && isRecord(header),
  },
  entry: { name: 'an entry', isWhole: ({ entry }) => readEntry(entry) !== null },
  artifact: {
    name: 'an artifact',
    isWhole: ({ id, at, content }) => isName(id) && isTime(at) && typeof content === 'string',
  },
  inbox: {
    name: 'an inbox item',
    isWhole: ({ item, settledAt }) => isRecord(item) && isInboxItem(item) && isTimeOrNull(settledAt),
  },
  request: {
    name: 'a request',
    isWhole: ({ manifest, outcome }) =>
      isRecord(manifest) && isManifest(manifest) && (outcome === null || isRecord(outcome)),
  },
  learned: {
    name: 'learnt values',
    isWhole: ({ model, values }) => isName(model) && isRecord(values) && isLearned(values),
  },
  memory: {
    name: 'a memory document',
    isWhole: ({ document, chunks }) =>
      isRecord(document) && isDocument(document) && Array.isArray(chunks) && chunks.every(isChunk),
  },
}

const INBOX_KINDS: Readonly<Record<InboxKind, true>> = {
  message: true,
  approval: true,
  cancel: true,
  compact: true,
  flush: true,
  undo: true,
  reset: true,
  pin: true,
  unpin: true,
  settings: true,
  model: true,
}
const MEMORY_KINDS: Readonly<Record<MemoryKind, true>> = { instruction: true, fact: true, note: true }

function isInboxItem({ id, position, at, kind, payload }: Fields): boolean {
  return isName(id) && isCount(position) && isTime(at) && isRecord(payload) && isOneOf(INBOX_KINDS, kind)
}

function isManifest({ number, at, itemsAfter, samePrefixItems, isFull }: Fields): boolean {
  return (
    isCount(number) &&
    isTime(at) &&
    Array.isArray(itemsAfter) &&
    isCount(samePrefixItems) &&
    typeof isFull === 'boolean'
  )
}

function isLearned({ calibrations, window }: Fields): boolean {
  const isWindow = window === null || (isRecord(window) && isCount(window['tokens']) && isTime(window['at']))
  return isWindow && isRecord(calibrations) && Object.values(calibrations).every(isRecord)
}

function isDocument({ name, updatedAt, text }: Fields): boolean {
  return isName(name) && isTime(updatedAt) && typeof text === 'string'
}

function isChunk(chunk: unknown): boolean {
  if (!isRecord(chunk)) return false
  return isOneOf(MEMORY_KINDS, chunk['kind']) && isCount(chunk['line']) && typeof chunk['text'] === 'string'
}

function isOneOf<K extends string>(names: Readonly<Record<K, unknown>>, name: unknown): name is K {
  return typeof name === 'string' && Object.hasOwn(names, name)
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value)
}

function isTimeOrNull(value: unknown): boolean {
  return value === null || isTime(value)
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
