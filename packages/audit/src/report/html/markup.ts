import { showPrinted } from '@longhaul/engine/display'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as markup that shows it, in an element or an attribute. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? found)
}

const MOST_CHARS = 500

/** Words of a session, the first of many: hidden characters are made visible, and none of them turns the words around it. */
export function quote(text: string): string {
  return `<bdi>${escapeMarkup(showPrinted(cut(text)))}</bdi>`
}

function cut(text: string): string {
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS).toWellFormed()}…` : text
}
