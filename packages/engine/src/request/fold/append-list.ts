/**
 * An immutable list that appends in constant time: versions share one backing array, and a version that is no longer
 * the longest copies before it appends. So a fold over 100,000 entries is linear, and an older state stays what it was.
 */
export interface AppendList<T> {
  readonly backing: readonly T[]
  readonly start: number
  readonly end: number
}

export function emptyList<T>(): AppendList<T> {
  return { backing: [], start: 0, end: 0 }
}

export function listOf<T>(elements: readonly T[]): AppendList<T> {
  return { backing: [...elements], start: 0, end: elements.length }
}

export function append<T>(list: AppendList<T>, element: T): AppendList<T> {
  const backing = list.backing.length === list.end ? (list.backing as T[]) : list.backing.slice(0, list.end)
  backing.push(element)
  return { backing, start: list.start, end: list.end + 1 }
}

export function elementsOf<T>(list: AppendList<T>): readonly T[] {
  return list.backing.slice(list.start, list.end)
}

/** The same backing seen from another element on, in either direction. */
export function startAt<T>(list: AppendList<T>, start: number): AppendList<T> {
  return { ...list, start: Math.min(Math.max(0, start), list.end) }
}

/** The first place, seen from the start of the backing, whose element is not before the wanted one. */
export function findPlace<T>(list: AppendList<T>, isBefore: (element: T) => boolean): number {
  let low = 0
  let high = list.end
  while (low < high) {
    const middle = (low + high) >>> 1
    const element = list.backing[middle]
    if (element !== undefined && isBefore(element)) low = middle + 1
    else high = middle
  }
  return low
}
