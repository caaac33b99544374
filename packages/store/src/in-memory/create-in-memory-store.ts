import { createWatchers } from '../follow/watchers.ts'
import type { Store } from '../port/store.ts'
import { createInMemoryArtifacts } from './artifacts.ts'
import { createInMemoryCheck } from './check.ts'
import { createContent } from './data.ts'
import type { Data } from './data.ts'
import { createInMemoryDump } from './dump.ts'
import { createInMemoryEntries } from './entries.ts'
import { createInMemoryEvents } from './events.ts'
import { createInMemoryInbox } from './inbox.ts'
import { createInMemoryLearned } from './learned.ts'
import { createInMemoryLeases } from './leases.ts'
import { createInMemoryMemory } from './memory.ts'
import { createInMemoryRequests } from './requests.ts'
import { createInMemorySearch } from './search.ts'
import { createInMemorySessions } from './sessions.ts'

export interface InMemoryStoreOptions {
  /** Milliseconds; decides when leases run out. */
  readonly clock?: () => number
}

/** A store for tests and for programs that keep sessions elsewhere. What it holds ends with the process. */
export function createInMemoryStore({ clock = Date.now }: InMemoryStoreOptions = {}): Store {
  const data: Data = { content: createContent(), clock, changes: createWatchers() }
  return {
    kind: 'memory',
    sessions: createInMemorySessions(data),
    entries: createInMemoryEntries(data),
    inbox: createInMemoryInbox(data),
    leases: createInMemoryLeases(data),
    requests: createInMemoryRequests(data),
    events: createInMemoryEvents(data),
    artifacts: createInMemoryArtifacts(data),
    learned: createInMemoryLearned(data),
    memory: createInMemoryMemory(data),
    search: createInMemorySearch(data),
    watch: data.changes.watch,
    ...createInMemoryDump(data),
    ...createInMemoryCheck(data),
    async close() {
      data.content = null
    },
  }
}
