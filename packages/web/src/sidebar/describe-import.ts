import type { Imported } from '@longhaul/protocol'
import { formatCount } from '../ui/text/format.ts'

/** A sentence about copies and unreadable lines of an import; null: it went as expected. */
export function describeImport({ copies, problems }: Pick<Imported, 'copies' | 'problems'>): string | null {
  const sentences = [
    ...(copies.length === 0 ? [] : ['This conversation was here already: it was imported as a copy.']),
    ...(problems.length === 0 ? [] : [`Imported; ${formatCount(problems.length, 'line')} could not be read.`]),
  ]
  return sentences.length === 0 ? null : sentences.join(' ')
}
