/** Numbers for prefixes: two lists of keys get the same number for their first n keys exactly where those are the same. */
export interface PrefixIds {
  /** The number of the prefix that ends with each key. Costs what is new since the list before. */
  follow(keys: readonly string[]): readonly number[]
}

const ROOT = 0

export function createPrefixIds(): PrefixIds {
  const children = new Map<number, Map<string, number>>()
  let last: { readonly keys: readonly string[]; readonly ids: readonly number[] } = { keys: [], ids: [] }
  let count = ROOT

  const childOf = (parent: number, key: string): number => {
    const known = children.get(parent) ?? new Map<string, number>()
    children.set(parent, known)
    const id = known.get(key) ?? (count += 1)
    known.set(key, id)
    return id
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
  }
}
