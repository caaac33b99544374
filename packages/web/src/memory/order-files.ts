import type { MemoryFile } from '@longhaul/protocol'

export interface NamedFile extends MemoryFile {
  /** For people: what it holds, or its day. */
  readonly title: string
}

const LONG_TERM = 'MEMORY.md'
const DAILY = /(\d{4})-(\d{2})-(\d{2})\.md$/

/** What is always true first, then the days, newest first, then whatever else there is. */
export function orderFiles(files: readonly MemoryFile[]): readonly NamedFile[] {
  const rank = ({ name }: MemoryFile): number => (name === LONG_TERM ? 0 : DAILY.test(name) ? 1 : 2)
  return files
    .toSorted((first, second) => {
      const byRank = rank(first) - rank(second)
      if (byRank !== 0) return byRank
      return rank(first) === 1 ? second.name.localeCompare(first.name) : first.name.localeCompare(second.name)
    })
    .map((file) => ({ ...file, title: titleOf(file.name) }))
}

export function titleOf(name: string): string {
  if (name === LONG_TERM) return 'Long-term memory'
  const [, year, month, day] = DAILY.exec(name) ?? []
  if (year === undefined) return name
  // In UTC, so that the day stays the one in the name.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
}
