import type { JsonObject } from '@longhaul/engine/advanced'
import type { Watchers } from '../follow/watchers.ts'
import type { InboxItem } from '../port/inbox.ts'
import type { LearnedWindow } from '../port/learned.ts'
import type { Owner } from '../port/leases.ts'
import type { MemoryChunk, MemoryDocument } from '../port/memory.ts'
import type { NewSession } from '../port/sessions.ts'
import { foldHead, titleOf } from '../records/describe-session.ts'
import { StoreError } from '../store-error.ts'

/** What the store holds and what it was given. */
export interface Data {
  /** null: closed. Replaced as a whole by `load`. */
  content: Content | null
  readonly clock: () => number
  readonly changes: Watchers
}

/**
 * Whatever comes from outside is held as JSON text, so that nobody who keeps an object can change it here. Every write
 * checks first and changes then: between the two nothing can fail.
 */
export interface Content {
  readonly sessions: Map<string, SessionRow>
  /** By hash: stored once, however many sessions hold it. */
  readonly artifactContents: Map<string, string>
  readonly learned: Map<string, LearnedRow>
  readonly documents: Map<string, DocumentRow>
  /** By model, then by text. */
  readonly vectors: Map<string, Map<string, Uint8Array>>
  /** Of the newest lease of any session: a purged one leaves no trace of its own. */
  lastToken: number
}

export interface SessionRow {
  readonly id: string
  readonly createdAt: number
  updatedAt: number
  deletedAt: number | null
  title: string | null
  preview: string | null
  readonly headerText: string
  headText: string
  /** The entry of `seq` 1 comes first. */
  readonly entryTexts: string[]
  readonly seqById: Map<string, number>
  /** Words of the messages that can be found, by `seq`. */
  readonly words: Map<number, readonly string[]>
  readonly inbox: Map<string, InboxRow>
  lastPosition: number
  readonly lease: LeaseRow
  readonly requests: Map<number, RequestRow>
  events: EventRow[]
  lastEventId: number
  readonly artifacts: Map<string, ArtifactRow>
}

export interface InboxRow extends Omit<InboxItem, 'sessionId' | 'payload'> {
  readonly payloadText: string
  settledAt: number | null
}

export interface LeaseRow {
  token: number
  owner: Owner | null
  expiresAt: number
  work: JsonObject | null
}

interface RequestRow {
  readonly at: number
  readonly manifestText: string
  outcomeText: string | null
}

interface EventRow {
  readonly id: number
  readonly at: number
  readonly eventText: string
}

export interface ArtifactRow {
  at: number
  readonly bytes: number
  readonly sha256: string
}

export interface LearnedRow {
  readonly calibrationTexts: Map<string, string>
  window: LearnedWindow | null
}

export interface DocumentRow extends MemoryDocument {
  readonly chunks: readonly (MemoryChunk & { readonly words: readonly string[] })[]
}

export function createContent(): Content {
  return {
    sessions: new Map(),
    artifactContents: new Map(),
    learned: new Map(),
    documents: new Map(),
    vectors: new Map(),
    lastToken: 0,
  }
}

export function createSessionRow({ id, createdAt, header = {} }: NewSession): SessionRow {
  return {
    id,
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
    title: titleOf(header, foldHead([])),
    preview: null,
    headerText: JSON.stringify(header),
    headText: JSON.stringify(foldHead([])),
    entryTexts: [],
    seqById: new Map(),
    words: new Map(),
    inbox: new Map(),
    lastPosition: 0,
    lease: { token: 0, owner: null, expiresAt: 0, work: null },
    requests: new Map(),
    events: [],
    lastEventId: 0,
    artifacts: new Map(),
  }
}

export function contentOf({ content }: Data): Content {
  if (content === null) throw new StoreError('closed', 'The store was closed. Open it again to go on.')
  return content
}

export function findSession(data: Data, id: string): SessionRow | undefined {
  return contentOf(data).sessions.get(id)
}

export function getSession(data: Data, id: string): SessionRow {
  const row = findSession(data, id)
  if (row === undefined) throw new StoreError('not-found', `There is no session ${id}.`)
  return row
}
