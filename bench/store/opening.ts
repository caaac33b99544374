import { join } from 'node:path'
import { PRESETS, createView, findNeededEntries, openState } from '@longhaul/engine/advanced'
import type { Entry } from '@longhaul/engine/advanced'
import { compaction } from '@longhaul/engine/testing'
import { createSqliteStore } from '@longhaul/store'
import type { DumpRecord, Store } from '@longhaul/store/port'
import { inFolder } from '../in-folder.ts'
import { summariseTimes } from '../speed/measure-time.ts'
import type { Timing } from '../speed/measure-time.ts'
import { createRandom } from '../speed/random.ts'
import { createText } from '../speed/text.ts'
import { createMessages } from '../speed/transcript.ts'
import { createEntry } from './entries.ts'

export interface OpeningTimes {
  readonly entries: number
  /** Messages in the view. */
  readonly items: number
  /** From the head in the store to the view of the next request, on a connection that has read nothing yet. */
  readonly session: Timing
}

/** As many messages as half a window of 200,000 tokens holds. */
const KEPT_MESSAGES = 400
const SUMMARY_CHARS = 8_000

export async function measureOpening(sizes: readonly number[], runs: number): Promise<readonly OpeningTimes[]> {
  return inFolder(async (folder) => {
    const files: { readonly size: number; readonly file: string }[] = []
    for (const size of sizes) files.push({ size, file: await createLongSession(folder, size) })
    const samples = files.map((one) => ({ ...one, items: 0, session: [] as number[] }))
    // In turn, so that what other programs do meanwhile hits all sizes.
    for (let run = 0; run <= runs; run += 1) {
      for (const sample of samples) {
        const store = await createSqliteStore({ file: sample.file })
        const begin = performance.now()
        sample.items = await openView(store)
        const ms = performance.now() - begin
        await store.close()
        // The first run warms up.
        if (run > 0) sample.session.push(ms)
      }
    }
    return samples.map(({ size, items, session }) => ({ entries: size, items, session: summariseTimes(session) }))
  })
}

async function openView(store: Store): Promise<number> {
  const head = (await store.sessions.get('long'))?.head
  if (head === undefined) throw new Error('the session is gone')
  const { fromSeq, seqs } = findNeededEntries(head.base)
  const entries = [
    ...(await store.entries.readAt('long', seqs)),
    ...(await store.entries.read('long', { from: fromSeq })),
  ]
  return createView(openState(head, entries), PRESETS.longhaul).items.length
}

async function createLongSession(folder: string, entries: number): Promise<string> {
  const file = join(folder, `${entries}.db`)
  const store = await createSqliteStore({ file })
  try {
    await store.load(listRecords(entries))
  } finally {
    await store.close()
  }
  return file
}

async function* listRecords(count: number): AsyncGenerator<DumpRecord> {
  yield { type: 'session', id: 'long', createdAt: 0, updatedAt: 0, deletedAt: null, header: {} }
  for (const entry of listEntries(count)) yield { type: 'entry', sessionId: 'long', entry }
}

/** A long history, the messages since, and the compaction that has just covered the history. */
function* listEntries(count: number): Generator<Entry> {
  const firstKept = count - KEPT_MESSAGES
  for (let seq = 1; seq < firstKept; seq += 1) yield createEntry(seq)
  const messages = createMessages(KEPT_MESSAGES)
  for (const [index, message] of messages.entries()) yield { ...createEntry(firstKept + index), ...message }
  const { id, seq, at } = createEntry(firstKept)
  const text = createText(createRandom(1), 'prose', SUMMARY_CHARS)
  const base = compaction({ fromSeq: firstKept, text })
  yield { ...base, firstKept: { id, seq, at }, seq: count, id: 'compaction', at }
}
