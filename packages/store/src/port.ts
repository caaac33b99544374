// What the agent is written against, and what a store of your own implements. Types alone.
export type { ArtifactInfo, Artifacts, NewArtifact } from './port/artifacts.ts'
export type { DumpRecord } from './port/dump.ts'
export type { Append, Entries, EntryRange } from './port/entries.ts'
export type { Events, StoredEvent } from './port/events.ts'
export type { Inbox, InboxItem, InboxKind, NewInboxItem, Stored } from './port/inbox.ts'
export type { Learned, LearnedTool, LearnedValues, LearnedWindow } from './port/learned.ts'
export type { Acquired, Lease, Leases, Owner } from './port/leases.ts'
export type {
  Memory,
  MemoryChunk,
  MemoryDocument,
  MemoryHit,
  MemoryKind,
  MemoryQuery,
  NearQuery,
  TextVector,
} from './port/memory.ts'
export type { RequestPage, Requests, SettledRequest } from './port/requests.ts'
export type { Search, SearchHit, SearchQuery } from './port/search.ts'
export type { NewSession, SessionPage, SessionQuery, SessionRecord, Sessions } from './port/sessions.ts'
export type { Change, Problem, Store } from './port/store.ts'
export type { StoreErrorCode } from './store-error.ts'
