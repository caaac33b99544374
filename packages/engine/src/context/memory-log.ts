import { EngineError } from '../policy/engine-error.ts'
import { foldBranch, foldEntries } from '../request/fold/fold-log.ts'
import { foldEntry } from '../request/fold/fold.ts'
import type { State } from '../request/fold/state.ts'
import type { Entry, EntryBody } from '../transcript/entry.ts'
import { readEntry } from '../transcript/read-entry.ts'
import type { ContextOptions } from './context-options.ts'
import { describeValue } from './describe-value.ts'
import { createQueue } from './queue.ts'

/** The log of one conversation in memory, with its fold. */
export interface MemoryLog {
  readonly entries: readonly Entry[]
  readonly state: () => State
  /** Resolves once the entries are in the caller's log and folded. `epoch`: refused if the base has moved since. */
  readonly append: (bodies: readonly EntryBody[], epoch?: number) => Promise<readonly Entry[]>
}

export interface MemoryLogOptions extends Pick<ContextOptions, 'onAppend' | 'entries'> {
  readonly now: () => number
  readonly createId: () => string
}

export function createMemoryLog({ onAppend, entries: earlier = [], now, createId }: MemoryLogOptions): MemoryLog {
  const inTurn = createQueue()
  const entries: Entry[] = earlier.map(readStrictly)
  checkOrder(entries)
  let state = foldEntries(entries)

  async function write(body: EntryBody): Promise<Entry> {
    const entry = { id: createId(), at: now(), ...body, seq: state.head.lastSeq + 1 } as Entry
    await onAppend?.(entry)
    const next = foldEntry(state, entry)
    state = next.missing !== null && entry.type === 'branch' ? foldBranch(next, entry, entries) : next
    entries.push(entry)
    return entry
  }

  return {
    entries,
    state: () => state,
    append: (bodies, epoch) =>
      inTurn(async () => {
        if (epoch !== undefined && epoch !== state.head.epoch) throw new Error('the context has changed meanwhile')
        const written: Entry[] = []
        for (const body of bodies) written.push(await write(body))
        return written
      }),
  }
}

/** A log with gaps, or in another order, would fold to another conversation. */
function checkOrder(entries: readonly Entry[]): void {
  entries.forEach(({ seq }, index) => {
    if (seq === index + 1) return
    const issue = { path: `entries[${index}].seq`, expected: `${index + 1}: the whole log, in order`, got: String(seq) }
    throw new EngineError('invalid-options', [issue])
  })
}

function readStrictly(value: unknown, index: number): Entry {
  const entry = readEntry(value)
  if (entry !== null) return entry
  const issue = { path: `entries[${index}]`, expected: 'an entry with seq and id', got: describeValue(value) }
  throw new EngineError('invalid-options', [issue])
}
