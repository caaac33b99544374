import type { Entry, EntryRef } from '@longhaul/engine/advanced'

/** Follows a log from its start and knows, at each place, which entries lead there: others lie on branches that were left. */
export interface PathTrace {
  readonly follow: (entry: Entry) => void
  /** The messages of the branch in force from a place on, oldest first. */
  readonly messagesSince: (seq: number) => readonly EntryRef[]
  /** Whether a message, a compaction or an undo belongs to the branch in force. */
  readonly path: () => (id: string) => boolean
}

interface Step extends EntryRef {
  readonly isMessage: boolean
  readonly before: Step | null
}

export function createPathTrace(): PathTrace {
  const steps = new Map<string, Step>()
  let last: Step | null = null

  function* walkBack(): Generator<Step> {
    for (let step = last; step !== null; step = step.before) yield step
  }

  return {
    follow({ id, seq, ...entry }) {
      if (entry.type === 'branch') last = entry.to === null ? null : (steps.get(entry.to.id) ?? last)
      else if (entry.type === 'message' || entry.type === 'compaction' || entry.type === 'compaction-undone')
        steps.set(id, (last = { id, seq, isMessage: entry.type === 'message', before: last }))
    },
    messagesSince(from) {
      const found: EntryRef[] = []
      for (const { id, seq, isMessage } of walkBack()) {
        if (seq < from) break
        if (isMessage) found.push({ id, seq })
      }
      return found.toReversed()
    },
    path() {
      const ids = new Set([...walkBack()].map(({ id }) => id))
      return (id) => ids.has(id)
    },
  }
}
