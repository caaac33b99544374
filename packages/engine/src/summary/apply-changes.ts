import type { EntryRef } from '../transcript/entry.ts'
import type { SummaryDocument, SummaryItem, SummarySection } from '../transcript/summary-document.ts'
import type { DocumentChange } from './change-lines.ts'
import { redactSecrets } from './redact-secrets.ts'

export interface ApplyOptions {
  /** The messages of the span, oldest first. A change may cite them by id or as `#seq`. */
  readonly sources: readonly EntryRef[]
}

const DEFAULT_SECTION = 'Notes'
/** An addition that shares this much of its words with an item of its section says the same thing anew. */
const SAME_SHARE = 0.8
/** Below this many words one word makes the difference ("use X for sessions", "use X for events"). */
const MIN_SAME_WORDS = 8
const MAX_ITEM_SOURCES = 12

/**
 * The document with the changes made. Items no change names are the same objects, byte for byte. Ids are never given twice;
 * an update of an id nobody knows is an addition; an addition that repeats an item updates it, or changes nothing.
 */
export function applyChanges(
  document: SummaryDocument,
  changes: readonly DocumentChange[],
  { sources }: ApplyOptions,
): SummaryDocument {
  const draft = createDraft(document)
  for (const change of changes) {
    if (change.action === 'close') {
      if (!draft.close(change.id)) draft.add('', redactSecrets(change.line), resolve([], sources))
      continue
    }
    const text = redactSecrets(change.text)
    const cited = resolve(change.references, sources)
    if (text === '') continue
    if (change.action === 'add') draft.add(change.section, text, cited)
    else if (!draft.update(change.id, text, cited)) draft.add('', redactSecrets(withoutSign(change.line)), cited)
  }
  return draft.build()
}

function createDraft(document: SummaryDocument) {
  const sections = document.sections.map(({ title, items }) => ({ title, items: [...items] }))
  let nextNumber =
    1 +
    Math.max(0, ...sections.flatMap(({ items }) => items.map(({ id }) => Number(/^i(\d{1,9})$/.exec(id)?.[1] ?? 0))))
  const find = (id: string) => {
    const wanted = id.toLowerCase()
    for (const section of sections) {
      const index = section.items.findIndex((item) => item.id.toLowerCase() === wanted)
      if (index >= 0) return { items: section.items, index }
    }
    return null
  }
  return {
    close(id: string): boolean {
      const place = find(id)
      const item = place?.items[place.index]
      if (place === null || item === undefined) return false
      if (item.status === 'open') place.items[place.index] = { ...item, status: 'done' }
      return true
    },
    update(id: string, text: string, cited: readonly string[]): boolean {
      const place = find(id)
      if (place !== null) rewrite(place.items, place.index, text, cited)
      return place !== null
    },
    add(title: string, text: string, cited: readonly string[]): void {
      const section = findSection(sections, title)
      const same = section.items.findIndex((item) => saysTheSame(item.text, text))
      if (same >= 0) rewrite(section.items, same, text, cited)
      else
        section.items.push({ id: `i${nextNumber++}`, text, sources: cited.slice(0, MAX_ITEM_SOURCES), status: 'open' })
    },
    build: (): SummaryDocument => ({
      ...document,
      sections: sections.map((section, index) => unchanged(section, document.sections[index])),
    }),
  }
}

/** An update of nothing is a point; its sign and the id it made up say nothing. */
function withoutSign(line: string): string {
  return line.replace(/^~{1,2}\s*[\w.-]{1,40}\s*[:：]\s*/, '')
}

function rewrite(items: SummaryItem[], index: number, text: string, cited: readonly string[]): void {
  const item = items[index]
  if (item === undefined || item.text === text) return
  const all = [...new Set([...item.sources, ...cited])]
  items[index] = { ...item, text, sources: all.slice(-MAX_ITEM_SOURCES), status: 'open' }
}

interface OpenSection {
  readonly title: string
  readonly items: SummaryItem[]
}

function findSection(sections: OpenSection[], title: string): OpenSection {
  const wanted = title.trim() === '' ? DEFAULT_SECTION : title.trim()
  const known = sections.find((section) => section.title.toLowerCase() === wanted.toLowerCase())
  if (known !== undefined) return known
  const created: OpenSection = { title: wanted, items: [] }
  sections.push(created)
  return created
}

function unchanged(section: OpenSection, original: SummarySection | undefined): SummarySection {
  const isSame =
    original?.items.length === section.items.length &&
    section.items.every((item, index) => item === original.items[index])
  return isSame && original !== undefined ? original : section
}

/** Cited messages; without a citation the ends of the span, which at least say where to look. */
function resolve(references: readonly string[], sources: readonly EntryRef[]): readonly string[] {
  const cited = references.flatMap((reference) => {
    const name = reference.replace(/^#/, '')
    const source = sources.find(({ id, seq }) => id === name || String(seq) === name.replace(/^m(?=\d+$)/, ''))
    return source === undefined ? [] : [source.id]
  })
  if (cited.length > 0) return [...new Set(cited)]
  const ends = [sources[0]?.id, sources.at(-1)?.id].filter((id) => id !== undefined)
  return [...new Set(ends)]
}

function saysTheSame(a: string, b: string): boolean {
  if (a === b) return true
  const [one, other] = [wordsOf(a), wordsOf(b)]
  const larger = Math.max(one.size, other.size)
  if (larger < MIN_SAME_WORDS) return false
  const isShared = (word: string): boolean => one.has(word) && other.has(word)
  const all = [...new Set([...one, ...other])]
  const names = new Set([...namesIn(a), ...namesIn(b)])
  const namesOther = all.some((word) => (names.has(word) || /[/_]|\.[a-z]/.test(word)) && !isShared(word))
  return !namesOther && all.filter(isShared).length / larger >= SAME_SHARE
}

/** Words with a capital that do not just begin the text: people, places, products. */
function namesIn(text: string): readonly string[] {
  return (text.slice(1).match(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]*/gu) ?? []).map((name) => name.toLowerCase())
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text.toLowerCase().match(/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]|[\p{L}\p{N}_./-]*[\p{L}\p{N}]/gu) ?? [],
  )
}
