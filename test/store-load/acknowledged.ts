import { foldEntries } from '@longhaul/engine/advanced'
import type { Entry } from '@longhaul/engine/advanced'
import type { InboxItem, Store } from '@longhaul/store/port'
import assert from 'node:assert/strict'
import type { Report } from './report.ts'

/** What programs were promised, held against what the store has. */
export interface Acknowledged {
  record(report: Report): void
  /** Throws unless every promise was kept and every session is whole. */
  check(store: Store, sessionIds: readonly string[]): Promise<void>
  countEntries(): number
  countItems(): number
  countArtifacts(): number
  /** How often appends were refused, by code. */
  countRejected(): Readonly<Record<string, number>>
}

interface Promised {
  /** As they were handed in, by seq. */
  readonly entries: Map<number, string>
  readonly rejected: Set<string>
  readonly items: Map<string, InboxItem>
  readonly artifacts: Map<string, string>
}

export function createAcknowledged(): Acknowledged {
  const sessions = new Map<string, Promised>()
  const rejections: Record<string, number> = {}
  const promisedTo = (sessionId: string): Promised => {
    const known = sessions.get(sessionId)
    if (known !== undefined) return known
    const made: Promised = { entries: new Map(), rejected: new Set(), items: new Map(), artifacts: new Map() }
    sessions.set(sessionId, made)
    return made
  }
  const count = (size: (promised: Promised) => number): number =>
    [...sessions.values()].reduce((sum, promised) => sum + size(promised), 0)

  return {
    record(report) {
      if (report.type === 'appended') recordEntries(promisedTo(report.sessionId), report.entries)
      else if (report.type === 'put') promisedTo(report.item.sessionId).items.set(report.item.id, report.item)
      else if (report.type === 'artifact') promisedTo(report.sessionId).artifacts.set(report.id, report.content)
      else if (report.type === 'rejected') {
        for (const { id } of report.entries) promisedTo(report.sessionId).rejected.add(id)
        rejections[report.code] = (rejections[report.code] ?? 0) + 1
      }
    },
    async check(store, sessionIds) {
      for (const sessionId of sessionIds) {
        const entries = await store.entries.read(sessionId, {})
        const promised = promisedTo(sessionId)
        checkWhole(entries, (await store.sessions.get(sessionId))?.head)
        checkEntries(entries, promised)
        checkItems(entries, await store.inbox.list(sessionId), promised)
        for (const [id, content] of promised.artifacts) {
          assert.equal(await store.artifacts.read(sessionId, id), content, `Artifact ${id} was lost.`)
        }
      }
    },
    countEntries: () => count(({ entries }) => entries.size),
    countItems: () => count(({ items }) => items.size),
    countArtifacts: () => count(({ artifacts }) => artifacts.size),
    countRejected: () => rejections,
  }
}

/** `t<token of the lease>.<number of the append>.<place in it>of<how many>`; null for a message, which brought its own id. */
export function readEntryId(
  id: string,
): { readonly token: number; readonly place: number; readonly of: number } | null {
  const match = /^t(\d+)\.\d+\.(\d+)of(\d+)$/.exec(id)
  return match === null ? null : { token: Number(match[1]), place: Number(match[2]), of: Number(match[3]) }
}

function recordEntries({ entries: promised }: Promised, entries: readonly Entry[]): void {
  for (const entry of entries) {
    assert.ok(!promised.has(entry.seq), `Two appends were told that entry ${entry.seq} is theirs.`)
    promised.set(entry.seq, JSON.stringify(entry))
  }
}

/** Numbered without a gap, no id twice, no append in part, owners one after another, the head their fold. */
function checkWhole(entries: readonly Entry[], head: unknown): void {
  assert.deepEqual(
    entries.map(({ seq }) => seq),
    entries.map((_, index) => index + 1),
  )
  assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length, 'An id is there twice.')
  let lastToken = 0
  for (const { id, seq } of entries) {
    const named = readEntryId(id)
    if (named === null) continue
    assert.ok(seq - named.place + named.of <= entries.length, `Only a part of the append of ${id} is there.`)
    assert.ok(named.token >= lastToken, `${id} was written by an owner that had been replaced.`)
    lastToken = named.token
  }
  assert.deepEqual(head, foldEntries(entries).head)
}

function checkEntries(entries: readonly Entry[], { entries: promised, rejected }: Promised): void {
  for (const [seq, text] of promised) assert.equal(JSON.stringify(entries[seq - 1]), text)
  const wronglyStored = entries.filter(({ seq, id }) => rejected.has(id) && !promised.has(seq))
  assert.deepEqual(wronglyStored, [], 'What was refused is there all the same.')
}

/** An item waits as it came, or has become an entry. */
function checkItems(entries: readonly Entry[], waiting: readonly InboxItem[], { items }: Promised): void {
  const byId = new Map(waiting.map((item) => [item.id, item]))
  const entryIds = new Set(entries.map(({ id }) => id))
  for (const item of items.values()) {
    if (!entryIds.has(item.id)) assert.deepEqual(byId.get(item.id), item, `Item ${item.id} was lost.`)
    else assert.ok(!byId.has(item.id), `Item ${item.id} is an entry and waits all the same.`)
  }
}
