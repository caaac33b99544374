import type { Entry } from '@longhaul/engine/advanced'
import type { DumpRecord } from '../port/dump.ts'
import { checkSession } from '../records/check-append.ts'
import { foldHead } from '../records/describe-session.ts'
import { StoreError } from '../store-error.ts'
import { describeArtifact } from './artifacts.ts'
import { createContent, createSessionRow } from './data.ts'
import type { Content, SessionRow } from './data.ts'
import { addEntries } from './entries.ts'
import { toRow } from './memory.ts'

/** All of a store's content from the records of a dump. Nobody sees it before it is whole. */
export async function loadRecords(records: AsyncIterable<DumpRecord>): Promise<Content> {
  const content = createContent()
  const entriesById = new Map<string, Entry[]>()
  for await (const record of records) {
    if (record.type === 'entry') listIn(entriesById, record.sessionId).push(record.entry)
    else addRecord(content, record)
  }
  for (const [id, entries] of entriesById) {
    const row = sessionOf(content, id)
    checkSession({ id, createdAt: row.createdAt, entries })
    addEntries(row, entries, foldHead(entries))
  }
  return content
}

function addRecord(content: Content, record: Exclude<DumpRecord, { type: 'entry' }>): void {
  switch (record.type) {
    case 'session': {
      const { id, updatedAt, deletedAt } = record
      if (content.sessions.has(id)) throw new StoreError('unreadable-backup', `Session ${id} comes twice.`)
      content.sessions.set(id, { ...createSessionRow(record), updatedAt, deletedAt })
      return
    }
    case 'artifact': {
      const described = describeArtifact(record)
      sessionOf(content, record.sessionId).artifacts.set(record.id, described.info)
      content.artifactContents.set(described.info.sha256, described.content)
      return
    }
    case 'inbox': {
      const { sessionId, payload, ...fields } = record.item
      const row = sessionOf(content, sessionId)
      row.inbox.set(fields.id, { ...fields, payloadText: JSON.stringify(payload), settledAt: record.settledAt })
      row.lastPosition = Math.max(row.lastPosition, fields.position)
      return
    }
    case 'request': {
      const { manifest, outcome } = record
      const outcomeText = outcome === null ? null : JSON.stringify(outcome)
      const row = { at: manifest.at, manifestText: JSON.stringify(manifest), outcomeText }
      sessionOf(content, record.sessionId).requests.set(manifest.number, row)
      return
    }
    case 'learned': {
      const { calibrations, window } = record.values
      const texts = Object.entries(calibrations).map(([name, learnt]) => [name, JSON.stringify(learnt)] as const)
      content.learned.set(record.model, { calibrationTexts: new Map(texts), window })
      return
    }
    case 'memory':
      content.documents.set(record.document.name, toRow(record.document, record.chunks))
      return
    default:
      record satisfies never
  }
}

function sessionOf({ sessions }: Content, id: string): SessionRow {
  const row = sessions.get(id)
  if (row === undefined)
    throw new StoreError('unreadable-backup', `Something belongs to session ${id}, which is not there.`)
  return row
}

function listIn<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
