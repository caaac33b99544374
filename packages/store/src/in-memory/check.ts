import type { Store } from '../port/store.ts'
import { findPreview, foldHead } from '../records/describe-session.ts'
import { contentOf, getSession } from './data.ts'
import type { Data } from './data.ts'
import { readEntryAt, setHead } from './entries.ts'

export function createInMemoryCheck(data: Data): Pick<Store, 'check' | 'probe' | 'repairHead'> {
  return {
    async check(signal) {
      signal?.throwIfAborted()
      contentOf(data)
      // There are no pages, indexes or files that could be damaged behind our back.
      return []
    },
    async probe() {
      contentOf(data)
    },
    async repairHead(sessionId) {
      const row = getSession(data, sessionId)
      const entries = row.entryTexts.map((_, index) => readEntryAt(row, index + 1))
      setHead(row, foldHead(entries))
      row.preview = findPreview(entries) ?? null
    },
  }
}
