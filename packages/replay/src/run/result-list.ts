import type { Run } from './create-run.ts'
import type { RunResult } from './run-result.ts'

/** The results of all conversations. However many there are, they list no more requests than fit into memory. */
export interface ResultList {
  add(runs: readonly Run[]): void
  list(): readonly RunResult[]
}

const MAX_LISTED = 60_000

/** Beyond `maxListed` requests the shortest conversations lose theirs; their totals stay. */
export function createResultList(maxListed = MAX_LISTED): ResultList {
  let groups: (readonly RunResult[])[] = []
  let listed = 0
  const names = new Set<string>()
  return {
    add(runs) {
      const [first, ...others] = runs.map((run) => run.finish())
      if (first === undefined) return
      const conversation = findOwnName(first.conversation, names)
      names.add(conversation)
      const group = [first, ...others].map((result) => ({ ...result, conversation }))
      groups.push(group)
      listed += countListed(group)
      if (listed <= maxListed) return
      // Down to half of it, so that this is not done again for every conversation.
      groups = dropShortest(groups, listed - maxListed / 2)
      listed = groups.reduce((sum, each) => sum + countListed(each), 0)
    },
    list: () => groups.flat(),
  }
}

/** Results are told apart by name. */
function findOwnName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted
  for (let count = 2; taken.has(name); count += 1) name = `${wanted} (${count})`
  return name
}

/** The longest keeps its own whatever it takes. */
function dropShortest(groups: readonly (readonly RunResult[])[], excess: number): (readonly RunResult[])[] {
  const dropped = new Set<readonly RunResult[]>()
  let left = excess
  for (const group of groups.toSorted((a, b) => countListed(a) - countListed(b)).slice(0, -1)) {
    if (left <= 0) break
    left -= countListed(group)
    dropped.add(group)
  }
  return groups.map((group) =>
    dropped.has(group) ? group.map((result) => ({ ...result, requests: [], lastEvents: [] })) : group,
  )
}

function countListed(group: readonly RunResult[]): number {
  return group.reduce((sum, { requests }) => sum + requests.length, 0)
}
