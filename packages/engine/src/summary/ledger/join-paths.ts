import { groupBy } from '../../transcript/group-by.ts'
import type { LedgerFact } from '../../transcript/summary-document.ts'
import { combineFacts, factKey } from '../facts/fact-collector.ts'

/**
 * One fact per file: `../src/a.ts` and `/home/me/project/src/a.ts` are the same one, under its longest name, unless two
 * files end that way. A file that was changed is listed as changed only.
 */
export function joinPaths(facts: readonly LedgerFact[]): readonly LedgerFact[] {
  const longest = createNames(facts.filter(isFile).map(({ text }) => text))
  const joined = new Map<string, LedgerFact>()
  for (const fact of facts) {
    const named = isFile(fact) && !isChangedElsewhere(fact) ? { ...fact, text: longest(fact.text) } : fact
    const key = isFile(named) ? `file\n${named.text}` : factKey(named)
    const known = joined.get(key)
    joined.set(key, known === undefined ? named : joinTwo(known, named))
  }
  return [...joined.values()]
}

function joinTwo(a: LedgerFact, b: LedgerFact): LedgerFact {
  const both = combineFacts(a, b)
  if (a.kind === b.kind) return both
  const changed = a.kind === 'file-changed' ? a : b
  const { note: _note, ...rest } = both
  return { ...rest, kind: 'file-changed', ...(changed.note === undefined ? {} : { note: changed.note }) }
}

function isFile({ kind }: LedgerFact): boolean {
  return kind === 'file-changed' || kind === 'file-read'
}

/** `rm ../a.ts` deletes a file of another folder: rather two names than a wrong state. */
function isChangedElsewhere({ kind, text }: LedgerFact): boolean {
  return kind === 'file-changed' && text.startsWith('..')
}

/** For a path the longest path that ends in it, if all that do are endings of that one. Seen from a folder, all but the way there counts. */
function createNames(paths: readonly string[]): (path: string) => string {
  const spellings = new Map<string, string>()
  for (const spelling of paths) {
    const path = withoutWay(spelling)
    if (spelling === path || !spellings.has(path)) spellings.set(path, spelling)
  }
  const byName = groupBy(spellings.keys(), baseName)
  return (given) => {
    const path = withoutWay(given)
    const sameName = byName.get(baseName(path)) ?? []
    if (sameName.length > MAX_COMPARED) return given
    const longer = sameName.filter((other) => other === path || endsIn(other, path))
    if (longer.length === 0 || longer.length > MAX_SAME_NAME) return given
    const longest = longer.reduce((best, other) => (other.length > best.length ? other : best), '')
    if (!longer.every((other) => other === longest || endsIn(longest, other))) return given
    return spellings.get(longest) ?? given
  }
}

/** `../../src/a.ts` tells no more of the file than `src/a.ts`: from where, nobody knows later. */
function withoutWay(path: string): string {
  return path.replace(/^(?:\.{1,2}[/\\])+/, '')
}

/** Hundreds of `index.ts` are hundreds of files. */
const MAX_SAME_NAME = 20
/** Each is compared with each. */
const MAX_COMPARED = 300

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

function endsIn(longer: string, path: string): boolean {
  if (longer.length <= path.length || !longer.endsWith(path)) return false
  const before = longer[longer.length - path.length - 1]
  return before === '/' || before === '\\'
}
