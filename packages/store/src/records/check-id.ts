import { StoreError } from '../store-error.ts'

/** The one rule for the ids of new sessions, messages and artifacts, whichever way they come in. Ids become parts of addresses. */
export function checkNewId(id: string, what: string): void {
  checkId(id, what)
  // In an address these are steps: whatever is called so could never be asked for again.
  if (id === '.' || id === '..') throw new StoreError('invalid', `A ${what} id may be neither . nor .. as a whole.`)
}

/** The rule for ids that are there already: of stored sessions, in backups and in the entries of transcripts. */
export function checkId(id: string, what: string): void {
  if (id === '' || id.length > MAX_ID_CHARS || HAS_CONTROL.test(id) || !id.isWellFormed()) {
    throw new StoreError('invalid', `A ${what} id must be 1 to ${MAX_ID_CHARS} characters without control characters.`)
  }
}

const MAX_ID_CHARS = 200
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const HAS_CONTROL = /[\u0000-\u001F\u007F]/
