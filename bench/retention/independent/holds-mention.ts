import type { Mention } from './mention.ts'

/** Whether a text tells a mention. */
export type Holds = (text: string) => boolean

/**
 * A mention is told where it stands as written, with no letter or digit right before or behind. A path is also told by
 * its base name where no other path of the conversation has the same, else by folder and base name on one line: lists
 * of files leave out what their paths share.
 */
export function createHolds({ kind, text }: Mention, sharedNames: ReadonlySet<string>): Holds {
  const isWhole = (within: string, needle: string): boolean => standsIn(within, needle)
  if (kind !== 'path') return (within) => isWhole(within, text)
  const segments = text.split('/').filter((segment) => segment !== '')
  const name = segments.at(-1) ?? text
  const folder = segments.at(-2)
  if (!sharedNames.has(name)) return (within) => isWhole(within, name)
  if (folder === undefined) return (within) => isWhole(within, text)
  return (within) =>
    isWhole(within, text) ||
    (within.includes(name) && within.split('\n').some((line) => isWhole(line, name) && isWhole(line, folder)))
}

/** Base names that several paths of a conversation have. */
export function findSharedNames(mentions: Iterable<Mention>): ReadonlySet<string> {
  const folders = new Map<string, Set<string>>()
  for (const { kind, text } of mentions) {
    if (kind !== 'path') continue
    const segments = text.split('/').filter((segment) => segment !== '')
    const [name, folder] = [segments.at(-1) ?? text, segments.at(-2)]
    if (folder !== undefined) folders.set(name, (folders.get(name) ?? new Set()).add(folder))
  }
  return new Set([...folders].filter(([, each]) => each.size > 1).map(([name]) => name))
}

const JOINING = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]/u

function standsIn(text: string, needle: string): boolean {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    const before = text[at - 1]
    const after = text[at + needle.length]
    const isOpenBefore = before === undefined || !JOINING.test(before) || !JOINING.test(needle[0] ?? '')
    const isOpenAfter = after === undefined || !JOINING.test(after) || !JOINING.test(needle.at(-1) ?? '')
    if (isOpenBefore && isOpenAfter) return true
  }
  return false
}
