import type { Entry } from '@longhaul/engine/advanced'
import type { Store } from '@longhaul/store/port'
import { walkEntries } from '../session/walk-entries.ts'

/** Something that was done to the context: what a timeline marks between the requests. */
export interface Mark {
  readonly id: string
  readonly at: number
  readonly kind: 'compaction' | 'undo' | 'flush' | 'prune' | 'trim' | 'reset' | 'model-change' | 'failure'
  readonly detail: string | null
}

/** Oldest first. Reads the whole transcript once. */
export async function listMarks(store: Pick<Store, 'entries'>, sessionId: string): Promise<readonly Mark[]> {
  const marks: Mark[] = []
  let hasModel = false
  for await (const entry of walkEntries(store, sessionId)) {
    // The model a session begins with is no change to it.
    const isBeginning = entry.type === 'model-change' && !hasModel
    if (entry.type === 'model-change') hasModel = true
    const what = isBeginning ? null : describe(entry)
    if (what !== null) marks.push({ id: entry.id, at: entry.at, ...what })
  }
  return marks
}

function describe(entry: Entry): Pick<Mark, 'kind' | 'detail'> | null {
  switch (entry.type) {
    case 'compaction':
    case 'trim':
      return { kind: entry.type, detail: entry.reason }
    case 'compaction-undone':
      return { kind: 'undo', detail: null }
    case 'flush':
      return { kind: 'flush', detail: entry.outcome }
    case 'prune':
      return { kind: 'prune', detail: String(entry.decisions.length) }
    case 'reset':
      return { kind: 'reset', detail: null }
    case 'model-change':
      return { kind: 'model-change', detail: entry.model }
    case 'maintenance-failed':
      return { kind: 'failure', detail: `${entry.work}: ${entry.reason}` }
    case 'message':
    case 'pin':
    case 'unpin':
    case 'settings':
    case 'environment':
    case 'bill':
    case 'interrupted':
    case 'branch':
    case 'unknown':
      return null
    default:
      return entry satisfies never
  }
}
