import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { readTranscripts } from '@longhaul/runtime'
import type { SessionRecord, Store } from '@longhaul/runtime'

const FILE = new URL('boat-booking.jsonl', import.meta.url)
/** It was written a moment ago, as it were. */
const QUIET_MS = 10 * 60_000

/**
 * A day and a morning of work on a small product, written for looking around: tools, files, decisions. Its settings cap the
 * window and lower the threshold, so that on any model the next message makes it compact, and that can be taken back.
 */
export async function createSample(store: Store, now: number): Promise<SessionRecord> {
  const [sample] = readTranscripts(await readFile(FILE, 'utf8'))
  const lastAt = sample?.entries.at(-1)?.at
  if (sample === undefined || lastAt === undefined) throw new Error('The sample conversation is empty.')
  const later = now - QUIET_MS - lastAt
  return store.sessions.create({
    id: randomUUID(),
    createdAt: sample.session.createdAt + later,
    entries: sample.entries.map((entry) => ({ ...entry, at: entry.at + later })),
  })
}
