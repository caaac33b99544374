import { neutralize, neutralizeLine, neutralizeWithin } from '../messages/neutralize.ts'
import type { SummaryDocument, SummaryItem, SummarySection } from '../transcript/summary-document.ts'
import { redactSecrets } from './redact-secrets.ts'

export interface RenderOptions {
  /** With the id before each item, for whoever is to change it. */
  readonly ids?: boolean
}

/**
 * Makes a document of plain prose: one item, no heading, no secrets. For strategies of your own.
 *
 * @example
 * const document = createProseDocument('They chose cedar for the gate.', ['message-1'])
 */
export function createProseDocument(text: string, sources: readonly string[]): SummaryDocument {
  return {
    version: 1,
    sections: [{ title: '', items: [{ id: 'summary', text: redactSecrets(text), sources, status: 'open' }] }],
  }
}

/**
 * Renders a summary as text. The same document always gives the same bytes. Prose comes out as it was written, except that
 * nothing in it is a heading, a tag or a fence.
 *
 * @example
 * const text = renderDocument(document)
 */
export function renderDocument(document: SummaryDocument, { ids = false }: RenderOptions = {}): string {
  return document.sections
    .map((section) => renderSection(section, ids))
    .filter((text) => text !== '')
    .join('\n\n')
}

/**
 * Done and open are told apart by marking the fewer of the two. A title is a line of its own and no heading: a model chose
 * it, and a heading of its own making could pass for one of the ledger's.
 */
function renderSection({ title, items }: SummarySection, ids: boolean): string {
  if (items.length === 0) return ''
  const idOf = (item: SummaryItem): string => (ids ? `[${neutralizeWithin(item.id)}] ` : '')
  const name = neutralizeLine(title)
  if (name === '') return items.map((item) => `${idOf(item)}${neutralize(item.text)}`).join('\n\n')
  const isMostlyDone = items.filter(({ status }) => status === 'done').length > items.length / 2
  const lines = items.map((item) => `- ${idOf(item)}${mark(item, isMostlyDone)}${nest(neutralize(item.text))}`)
  return [`${name}${isMostlyDone ? ' (done, unless marked open)' : ''}:`, ...lines].join('\n')
}

/** Further lines of a point stand below its first, so that none can pass for a point or a title. */
function nest(text: string): string {
  return text.replaceAll('\n', '\n  ')
}

function mark({ status }: SummaryItem, isMostlyDone: boolean): string {
  if (isMostlyDone) return status === 'open' ? '[open] ' : ''
  return status === 'done' ? '[done] ' : ''
}
