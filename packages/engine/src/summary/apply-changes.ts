import type { EntryRef } from '../transcript/entry.ts'
import type { SummaryDocument } from '../transcript/summary-document.ts'
import type { DocumentChange } from './change-lines.ts'
import { createCiteSources } from './draft/cite-sources.ts'
import { createDocumentDraft } from './draft/document-draft.ts'
import { redactSecrets } from './redact-secrets.ts'

export interface ApplyOptions {
  /** The messages of the span, oldest first. A change may cite them by id or as `#seq`. */
  readonly sources: readonly EntryRef[]
}

/**
 * The document with the changes made. Items no change names are the same objects, byte for byte. Ids are never given twice;
 * an update of an id nobody knows is an addition; an addition that repeats an item updates it, or changes nothing.
 */
export function applyChanges(
  document: SummaryDocument,
  changes: readonly DocumentChange[],
  { sources }: ApplyOptions,
): SummaryDocument {
  const draft = createDocumentDraft(document)
  const cite = createCiteSources(sources)
  for (const change of changes) {
    if (change.action === 'close') {
      if (!draft.close(change.id)) draft.add('', redactSecrets(change.line), cite([]))
      continue
    }
    const text = redactSecrets(change.text)
    const cited = cite(change.references)
    if (text === '') continue
    if (change.action === 'add') draft.add(change.section, text, cited)
    else if (!draft.update(change.id, text, cited)) draft.add('', redactSecrets(withoutSign(change.line)), cited)
  }
  return draft.build()
}

/** An update of nothing is a point; its sign and the id it made up say nothing. */
function withoutSign(line: string): string {
  return line.replace(/^~{1,2}\s*[\w.-]{1,40}\s*[:：]\s*/, '')
}
