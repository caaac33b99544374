import type { DumpRecord } from '../port/dump.ts'
import type { Store } from '../port/store.ts'
import { StoreError } from '../store-error.ts'
import { contentOf } from './data.ts'
import type { Content, Data, SessionRow } from './data.ts'
import { readEntryAt } from './entries.ts'
import { toItem } from './inbox.ts'
import { readLearned } from './learned.ts'
import { loadRecords } from './load-records.ts'
import { numbersOf, readOutcome, readStored } from './requests.ts'

export function createInMemoryDump(data: Data): Pick<Store, 'dump' | 'load'> {
  return {
    async *dump(signal) {
      // Taken at once: what is written while others read along is not in it.
      const records = [...listRecords(contentOf(data))]
      for (const record of records) {
        signal?.throwIfAborted()
        yield record
      }
    },
    async load(records) {
      checkEmpty(contentOf(data))
      const content = await loadRecords(records)
      // Somebody may have written while the records came in.
      checkEmpty(contentOf(data))
      data.content = content
      data.changes.tell({ sessionId: null, what: 'any' })
    },
  }
}

function* listRecords(content: Content): Generator<DumpRecord> {
  for (const session of content.sessions.values()) yield* listSession(session, content)
  for (const [model, row] of content.learned) yield { type: 'learned', model, values: readLearned(row) }
  for (const { name, updatedAt, text, chunks } of content.documents.values()) {
    const plain = chunks.map(({ kind, line, text: words }) => ({ kind, line, text: words }))
    yield { type: 'memory', document: { name, updatedAt, text }, chunks: plain }
  }
}

function* listSession(session: SessionRow, { artifactContents }: Content): Generator<DumpRecord> {
  const { id: sessionId, createdAt, updatedAt, deletedAt } = session
  yield { type: 'session', id: sessionId, createdAt, updatedAt, deletedAt, header: JSON.parse(session.headerText) }
  for (let seq = 1; seq <= session.entryTexts.length; seq += 1) {
    yield { type: 'entry', sessionId, entry: readEntryAt(session, seq) }
  }
  for (const [id, { at, sha256 }] of session.artifacts) {
    const content = artifactContents.get(sha256)
    if (content !== undefined) yield { type: 'artifact', sessionId, id, at, content }
  }
  for (const row of session.inbox.values())
    yield { type: 'inbox', item: toItem(session, row), settledAt: row.settledAt }
  for (const number of numbersOf(session)) {
    const manifest = readStored(session, number)
    if (manifest !== null) yield { type: 'request', sessionId, manifest, outcome: readOutcome(session, number) }
  }
}

function checkEmpty({ sessions, learned, documents }: Content): void {
  if (sessions.size + learned.size + documents.size === 0) return
  throw new StoreError('not-empty', 'There is something in this store already. Load into a new one.')
}
