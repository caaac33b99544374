import type { Entry, EntryRef } from '@longhaul/engine/advanced'

/** What an entry refers to and that did not come before it, by what it calls it. `ids` has the earlier entries by id. */
export function findDangling(entry: Entry, ids: ReadonlyMap<string, number>): readonly string[] {
  const isThere = ({ id, seq }: EntryRef): boolean => ids.get(id) === seq
  const named = (name: string, refs: readonly (EntryRef | null)[]): readonly string[] =>
    refs.every((ref) => ref === null || isThere(ref)) ? [] : [name]
  switch (entry.type) {
    case 'compaction':
    case 'trim':
      return [
        ...named('first kept message', [entry.firstKept]),
        ...named('base it stands on', [entry.previous]),
        ...named('carried messages', entry.carried),
        ...named('summary', entry.type === 'trim' ? [entry.summary] : []),
      ]
    case 'prune':
      return named(
        'pruned messages',
        entry.decisions.map((decision) => decision.entry),
      )
    case 'compaction-undone':
      return ids.has(entry.compaction) ? [] : ['compaction it undoes']
    case 'branch':
      return entry.to === null || ids.has(entry.to.id) ? [] : ['message it goes on from']
    case 'unpin':
      return ids.has(entry.pin) ? [] : ['pin it takes back']
    case 'message':
    case 'reset':
    case 'pin':
    case 'settings':
    case 'environment':
    case 'flush':
    case 'model-change':
    case 'maintenance-failed':
    case 'bill':
    case 'interrupted':
    case 'unknown':
      return []
    default:
      return entry satisfies never
  }
}
