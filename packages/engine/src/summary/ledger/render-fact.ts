import { shortenEnd } from '../../messages/shorten.ts'
import type { LedgerFact } from '../../transcript/summary-document.ts'
import { TODO_NOTE } from '../facts/open-work-facts.ts'

/** Where room is short, the beginning of two commands tells more than the whole of one. */
const SHORT_COMMAND_CHARS = 80

/** One fact as a line of the ledger: as short as it can be, or with what is known beside it. */
export function renderFact({ kind, text, note, count, by }: LedgerFact, withNote: boolean): string {
  switch (kind) {
    case 'ask':
    case 'instruction':
      return `- ${text}`
    case 'decision':
      return `- ${text}${note === undefined ? '' : ` (${note})`}`
    case 'open-work':
      return `- ${text}${note === undefined ? '' : ` (${note.replace(`${TODO_NOTE}: `, '')})`}`
    case 'file-changed':
      return note === 'edited' || note === undefined ? text : `${text} (${note})`
    case 'failure':
      return withNote && note !== undefined ? `- ${text} (${note})` : `- ${text}`
    case 'command': {
      const outcome = note === undefined || note === 'ok' ? '' : withNote ? ` – ${note}` : ` – ${note.split(':', 1)[0]}`
      return `${withNote ? text : shortenEnd(text, SHORT_COMMAND_CHARS)}${outcome}${withNote && count > 1 ? ` ×${count}` : ''}`
    }
    case 'id':
      return withNote && note !== undefined ? `${text} (${note})` : text
    case 'figure':
      // What a person or a model counted needs its words; what a program printed can do without.
      return note === undefined || (by === 'tool' && !withNote) || !note.includes(text) ? text : note
    case 'first-ask':
    case 'latest-ask':
    case 'file-read':
    case 'url':
      return text
    default:
      return kind satisfies never
  }
}
