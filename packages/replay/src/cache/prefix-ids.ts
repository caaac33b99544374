/** Numbers for prefixes: two lists of keys get the same number for their first n keys exactly where those are the same. */
export interface PrefixIds {
  /** The number of the prefix that ends with each key. Costs what is new since the list before. */
  follow(keys: readonly string[]): readonly number[]
  /** How many prefixes are known. */
  size(): number
  /** Forgets all prefixes but these, what they begin with, and the last list. */
  keepOnly(ids: Iterable<number>): void
}

const ROOT = 0

interface Prefix {
  readonly id: number
  readonly parent: number
}

export function createPrefixIds(): PrefixIds {
  /** By the number of what comes before and the key. */
  let known = new Map<string, Prefix>()
  let last: { readonly keys: readonly string[]; readonly ids: readonly number[] } = { keys: [], ids: [] }
  let count = ROOT

  const childOf = (parent: number, key: string): number => {
    const name = `${parent} ${key}`
    const found = known.get(name)
    if (found !== undefined) return found.id
    count += 1
    known.set(name, { id: count, parent })
    return count
  }
  return {
    follow(keys) {
      let same = 0
      while (same < keys.length && keys[same] === last.keys[same]) same += 1
      const ids = last.ids.slice(0, same)
      for (let place = same; place < keys.length; place += 1) {
        ids.push(childOf(ids[place - 1] ?? ROOT, keys[place] ?? ''))
      }
      last = { keys, ids }
      return ids
    },
    size: () => known.size,
    keepOnly(wanted) {
      const parents = new Map([...known.values()].map(({ id, parent }) => [id, parent]))
      const kept = new Set<number>()
      for (const id of [...wanted, ...last.ids]) {
        for (let each = id; each !== ROOT && !kept.has(each); each = parents.get(each) ?? ROOT) kept.add(each)
      }
      known = new Map([...known].filter(([, { id }]) => kept.has(id)))
    },
  }
}
