export interface Group<Item> {
  readonly name: string
  readonly items: readonly Item[]
}

/** In the order in which the groups first occur. */
export function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): readonly Group<Item>[] {
  return [...Map.groupBy(items, nameOf)].map(([name, own]) => ({ name, items: own }))
}
