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
 * Renders a summary as text. The same document always gives the same bytes; prose comes out as it was written.
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

/** Done and open are told apart by marking the fewer of the two. */
function renderSection({ title, items }: SummarySection, ids: boolean): string {
  if (items.length === 0) return ''
  if (title === '') return items.map((item) => (ids ? `[${item.id}] ${item.text}` : item.text)).join('\n\n')
  const isMostlyDone = items.filter(({ status }) => status === 'done').length > items.length / 2
  const heading = `## ${title}${isMostlyDone ? ' (done, unless marked open)' : ''}`
  const lines = items.map((item) => `- ${ids ? `[${item.id}] ` : ''}${mark(item, isMostlyDone)}${item.text}`)
  return [heading, ...lines].join('\n')
}

function mark({ status }: SummaryItem, isMostlyDone: boolean): string {
  if (isMostlyDone) return status === 'open' ? '[open] ' : ''
  return status === 'done' ? '[done] ' : ''
}
