import { EngineError } from '../policy/engine-error.ts'
import { foldBranch, foldEntries } from '../request/fold/fold-log.ts'
import { foldEntry } from '../request/fold/fold.ts'
import type { State } from '../request/fold/state.ts'
import type { Entry, EntryBody } from '../transcript/entry.ts'
import { readEntry } from '../transcript/read-entry.ts'
import type { ContextOptions } from './context-options.ts'
import { describeValue } from './describe-value.ts'
import type { Keeper } from './keeper.ts'
import { createQueue } from './queue.ts'

/** Without a time of its own, an entry gets that of its writing. */
export type DatedBody = EntryBody & { readonly at?: number }

/** The log of one conversation in memory, with its fold. */
export interface MemoryLog {
  readonly entries: readonly Entry[]
  readonly state: () => State
  /** Resolves once the entries are in the caller's log and folded. `epoch`: refused if the base has moved since. */
  readonly append: (bodies: readonly DatedBody[], epoch?: number) => Promise<readonly Entry[]>
}

export interface MemoryLogOptions extends Pick<ContextOptions, 'onAppend' | 'entries'> {
  readonly now: () => number
  readonly createId: () => string
  /** Stores several entries at a time; without it, `onAppend` is told of each. */
  readonly keep?: Keeper['append'] | undefined
}

export function createMemoryLog({ onAppend, entries: earlier = [], now, createId, keep }: MemoryLogOptions): MemoryLog {
  const inTurn = createQueue()
  const entries: Entry[] = earlier.map(readStrictly)
  checkOrder(entries)
  let state = foldEntries(entries)

  /** Folds the entries first, so that whoever stores them can store the head with them. */
  async function write(bodies: readonly DatedBody[]): Promise<readonly Entry[]> {
    const fresh: Entry[] = []
    let next = state
    for (const body of bodies) {
      const entry = { id: createId(), at: now(), ...body, seq: next.head.lastSeq + 1 } as Entry
      next = foldEntry(next, entry)
      if (next.missing !== null && entry.type === 'branch') next = foldBranch(next, entry, [...entries, ...fresh])
      fresh.push(entry)
    }
    if (keep !== undefined) await keep(fresh, next.head)
    else for (const entry of fresh) await onAppend?.(entry)
    state = next
    entries.push(...fresh)
    return fresh
  }

  return {
    entries,
    state: () => state,
    append: (bodies, epoch) =>
      inTurn(async () => {
        if (epoch !== undefined && epoch !== state.head.epoch) throw new Error('the context has changed meanwhile')
        if (keep !== undefined) return bodies.length === 0 ? [] : write(bodies)
        const written: Entry[] = []
        for (const body of bodies) written.push(...(await write([body])))
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
