import type { SummaryDocument, SummaryItem, SummarySection } from '../../transcript/summary-document.ts'
import { createSaidBefore } from './said-before.ts'
import type { SaidBefore } from './said-before.ts'

const DEFAULT_SECTION = 'Notes'
const MAX_ITEM_SOURCES = 12

/** A document that is being changed. Each change takes as long as its own text, however large the document is. */
export interface DocumentDraft {
  /** False: no item has this id. */
  readonly close: (id: string) => boolean
  /** False: no item has this id. */
  readonly update: (id: string, text: string, cited: readonly string[]) => boolean
  /** A text that says what an item of its section says already takes that item's place. */
  readonly add: (title: string, text: string, cited: readonly string[]) => void
  readonly build: () => SummaryDocument
}

interface OpenSection {
  readonly title: string
  readonly items: SummaryItem[]
  readonly said: SaidBefore
}

interface ItemPlace {
  readonly section: OpenSection
  readonly index: number
}

export function createDocumentDraft(document: SummaryDocument): DocumentDraft {
  const sections: OpenSection[] = []
  const byTitle = new Map<string, OpenSection>()
  const byId = new Map<string, ItemPlace>()
  let lastNumber = 0

  function open(title: string): OpenSection {
    const section = { title, items: [], said: createSaidBefore() }
    sections.push(section)
    if (!byTitle.has(title.toLowerCase())) byTitle.set(title.toLowerCase(), section)
    return section
  }
  function push(section: OpenSection, item: SummaryItem): void {
    const index = section.items.push(item) - 1
    section.said.set(index, item.text)
    if (!byId.has(item.id.toLowerCase())) byId.set(item.id.toLowerCase(), { section, index })
    lastNumber = Math.max(lastNumber, Number(/^i(\d{1,9})$/.exec(item.id)?.[1] ?? 0))
  }
  for (const { title, items } of document.sections) {
    const section = open(title)
    for (const item of items) push(section, item)
  }

  return {
    close(id) {
      const place = byId.get(id.toLowerCase())
      const item = place?.section.items[place.index]
      if (place === undefined || item === undefined) return false
      if (item.status === 'open') place.section.items[place.index] = { ...item, status: 'done' }
      return true
    },
    update(id, text, cited) {
      const place = byId.get(id.toLowerCase())
      if (place !== undefined) rewrite(place, text, cited)
      return place !== undefined
    },
    add(title, text, cited) {
      const wanted = title.trim() === '' ? DEFAULT_SECTION : title.trim()
      const section = byTitle.get(wanted.toLowerCase()) ?? open(wanted)
      const same = section.said.find(text)
      if (same >= 0) rewrite({ section, index: same }, text, cited)
      else push(section, { id: `i${lastNumber + 1}`, text, sources: cited.slice(0, MAX_ITEM_SOURCES), status: 'open' })
    },
    build: () => ({
      ...document,
      sections: sections.map((section, index) => unchanged(section, document.sections[index])),
    }),
  }
}

function rewrite({ section, index }: ItemPlace, text: string, cited: readonly string[]): void {
  const item = section.items[index]
  if (item === undefined || item.text === text) return
  const all = [...new Set([...item.sources, ...cited])]
  section.items[index] = { ...item, text, sources: all.slice(-MAX_ITEM_SOURCES), status: 'open' }
  section.said.set(index, text)
}

/** The section as it was where nothing of it changed: the same object. */
function unchanged({ title, items }: OpenSection, original: SummarySection | undefined): SummarySection {
  const isSame = original?.items.length === items.length && items.every((item, index) => item === original.items[index])
  return isSame && original !== undefined ? original : { title, items }
}
