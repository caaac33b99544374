interface Cited {
  readonly sources: readonly string[]
}

/** A short number for every message that is cited, in the order in which a reader meets them. */
export function numberSources(...lists: readonly (readonly Cited[])[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  for (const { sources } of lists.flat()) {
    for (const id of sources) if (!numbers.has(id)) numbers.set(id, numbers.size + 1)
  }
  return numbers
}
