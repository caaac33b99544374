import { isSearchable, searchableText, splitWords } from '@longhaul/engine/advanced'
import type { Entry, Head } from '@longhaul/engine/advanced'
import type { Entries, EntryRange } from '../port/entries.ts'
import { checkAppend } from '../records/check-append.ts'
import { findPreview, moveUpdatedAt, titleOf } from '../records/describe-session.ts'
import { parseEntry, parseObject, writeEntry } from '../records/entry-text.ts'
import { clampLimit } from '../records/page.ts'
import { StoreError } from '../store-error.ts'
import { findSession } from './data.ts'
import type { Data, SessionRow } from './data.ts'
import { settleItems } from './inbox.ts'
import { getOwned } from './leases.ts'

export function createInMemoryEntries(data: Data): Entries {
  return {
    async append(append) {
      checkAppend(append)
      const { lease, entries, head, settles = [], epoch } = append
      const row = getOwned(data, lease)
      checkContinues(row, entries)
      checkEpoch(row, epoch)
      addEntries(row, entries, head)
      row.updatedAt = moveUpdatedAt(row.updatedAt, entries)
      settleItems(row, settles, data.clock())
      if (entries.length > 0) data.changes.tell({ sessionId: row.id, what: 'entries' })
      if (settles.length > 0) data.changes.tell({ sessionId: row.id, what: 'inbox' })
    },
    async read(sessionId, range) {
      const row = findSession(data, sessionId)
      return row === undefined ? [] : seqsOf(row, range).map((seq) => readEntryAt(row, seq))
    },
    async readAt(sessionId, seqs) {
      const row = findSession(data, sessionId)
      if (row === undefined) return []
      const known = [...new Set(seqs)].filter((seq) => row.entryTexts[seq - 1] !== undefined)
      return known.toSorted((first, second) => first - second).map((seq) => readEntryAt(row, seq))
    },
    async find(sessionId, entryId) {
      const row = findSession(data, sessionId)
      const seq = row?.seqById.get(entryId)
      return row === undefined || seq === undefined ? null : readEntryAt(row, seq)
    },
  }
}

/** Changes the row without asking: whoever calls has checked. */
export function addEntries(row: SessionRow, entries: readonly Entry[], head: Head): void {
  for (const entry of entries) {
    row.entryTexts.push(writeEntry(entry))
    row.seqById.set(entry.id, entry.seq)
    if (isSearchable(entry)) row.words.set(entry.seq, splitWords(searchableText(entry)))
  }
  setHead(row, head)
  row.preview = findPreview(entries) ?? row.preview
}

export function setHead(row: SessionRow, head: Head): void {
  row.headText = JSON.stringify(head)
  row.title = titleOf(parseObject(row.headerText, `The header of session ${row.id}`), head)
}

export function readEntryAt(row: SessionRow, seq: number): Entry {
  return parseEntry(row.entryTexts[seq - 1] ?? '', row.id, seq)
}

function checkContinues(row: SessionRow, entries: readonly Entry[]): void {
  const next = row.entryTexts.length + 1
  const [first] = entries
  if (first !== undefined && first.seq !== next) {
    throw new StoreError(
      'out-of-order',
      `Entry ${first.id} has seq ${first.seq}, but ${next} is next in session ${row.id}.`,
    )
  }
  const taken = entries.find(({ id }) => row.seqById.has(id))
  if (taken !== undefined) throw new StoreError('id-conflict', `Session ${row.id} has an entry ${taken.id} already.`)
}

function checkEpoch(row: SessionRow, epoch: number | undefined): void {
  const current = parseObject<Head>(row.headText, `The head of session ${row.id}`).epoch
  if (epoch !== undefined && epoch !== current) {
    throw new StoreError('epoch-passed', `Session ${row.id} has moved on since this was prepared. Plan it anew.`)
  }
}

function seqsOf(
  { entryTexts }: SessionRow,
  { from = 1, to = Infinity, limit, fromEnd = false }: EntryRange,
): readonly number[] {
  const first = Math.max(1, from)
  const count = Math.max(0, Math.min(to, entryTexts.length) - first + 1)
  const seqs = Array.from({ length: count }, (_, index) => first + index)
  if (limit === undefined) return seqs
  const taken = clampLimit(limit)
  return fromEnd ? seqs.slice(-taken) : seqs.slice(0, taken)
}
