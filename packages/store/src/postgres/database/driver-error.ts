import { StoreError } from '../../store-error.ts'
import type { StoreErrorCode } from '../../store-error.ts'

/** Whatever the driver rejects with. Other errors pass through this backend as they are. */
export class DriverError extends Error {
  override readonly name = 'DriverError'
  /** SQLSTATE, if the server itself has spoken; null: there was no answer. */
  readonly state: string | null
  readonly constraint: string | null

  constructor(cause: unknown) {
    super(describe(cause), { cause })
    const isAnswer = fieldOf(cause, 'severity') !== null
    this.state = isAnswer ? fieldOf(cause, 'code') : null
    this.constraint = isAnswer ? fieldOf(cause, 'constraint') : null
  }
}

/** How far a call had come when it failed; that decides what the caller may conclude. */
export type Phase = 'connecting' | 'reading' | 'writing' | 'committing'

/** The transaction has stored nothing, and running it again may well succeed. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof DriverError)) return false
  // A content was deleted as nobody held it, at the moment when somebody stored the same again.
  return error.state?.startsWith('40') === true || error.constraint === 'artifact_content_held'
}

/** The connection has ended, or is ending, before there was an answer. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof DriverError)) return false
  return error.state === null || error.state.startsWith('08') || error.state.startsWith('57P')
}

/** Nothing was run, because the connection has no statement of that name, or has one already. */
export function isUnprepared(error: unknown): boolean {
  return error instanceof DriverError && (error.state === '26000' || error.state === '42P05')
}

/** What to tell the caller. `hide` takes out of a text what nobody may see. */
export function toStoreError(error: DriverError, phase: Phase, hide: (text: string) => string): StoreError {
  const { code, text } = findMeaning(error, phase)
  const outcome = phase === 'committing' && isLost(error) ? ` ${UNKNOWN_OUTCOME}` : ''
  return new StoreError(code, `${text}.${outcome} (${hide(error.message)})`, {
    cause: error.cause,
    isFull: error.state === '53100',
  })
}

const UNKNOWN_OUTCOME =
  'It cannot be told whether this was stored: read the session again – its head says how far it goes – before repeating it.'

interface Meaning {
  readonly code: StoreErrorCode
  readonly text: string
}

/** By the start of SQLSTATE, https://www.postgresql.org/docs/current/errcodes-appendix.html; the longest start counts. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  '08': unavailable('The connection to PostgreSQL was lost. It is made again with the next call'),
  '22021': { code: 'invalid', text: 'PostgreSQL cannot hold this text: it has a NUL character or is no UTF-8' },
  '22P05': { code: 'invalid', text: 'The database cannot hold this text. Longhaul needs one with the encoding UTF8' },
  '23503': { code: 'not-found', text: 'There is no such session' },
  '23505': { code: 'id-conflict', text: 'That id is taken' },
  '25006': unavailable('This PostgreSQL server is read-only (a standby). Connect to the primary'),
  '25P03': unavailable(
    'The transaction was idle for longer than the server allows. Try again, without pauses in between',
  ),
  '28': unavailable('PostgreSQL refused the user or the password. Check the address of the store'),
  '3D000': unavailable('The database in the address does not exist on that server. Create it, or name another'),
  '3F000': { code: 'damaged', text: 'The schema of Longhaul is gone. Restore a backup, or open the store anew' },
  '40': unavailable('Others were writing the same rows all the time. Try again'),
  '42501': unavailable('The user in the address has no right to do this. Grant it the schema, or use its owner'),
  '42P01': { code: 'damaged', text: 'A table of Longhaul is gone. Restore a backup, or open the store anew' },
  '53': unavailable('The PostgreSQL server is short of something. Try again later'),
  '53100': unavailable('The disk of the PostgreSQL server is full. Free some space there'),
  '53300': unavailable('PostgreSQL takes no more connections. Lower poolSize, raise max_connections or use a pooler'),
  '55P03': unavailable('A row stayed locked too long. Try again'),
  '57014': unavailable('The statement was cancelled, or took longer than statement_timeout allows. Try again'),
  '57P': unavailable('PostgreSQL is shutting down or starting. Try again in a moment'),
  '58': unavailable('The PostgreSQL server cannot read or write its files. Look into its log'),
  XX001: { code: 'damaged', text: 'PostgreSQL found damaged data. Look into its log, and restore a backup' },
  XX002: { code: 'damaged', text: 'PostgreSQL found a damaged index. Run REINDEX on the schema of Longhaul' },
}

const NOT_REACHED = unavailable(
  'PostgreSQL cannot be reached. Check that it runs, and the host and port of the address',
)
const LOST = unavailable('The connection to PostgreSQL was lost. It is made again with the next call')
const OTHER = unavailable('PostgreSQL could not do this')

function findMeaning({ state }: DriverError, phase: Phase): Meaning {
  if (state === null) return phase === 'connecting' ? NOT_REACHED : LOST
  for (let length = state.length; length >= 2; length -= 1) {
    const meaning = MEANINGS[state.slice(0, length)]
    if (meaning !== undefined) return meaning
  }
  return OTHER
}

function unavailable(text: string): Meaning {
  return { code: 'unavailable', text }
}

/** Where a host has several addresses, Node reports that all of them failed by a code and no message. */
function describe(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  return [fieldOf(cause, 'code'), message, fieldOf(cause, 'detail')]
    .filter((text) => text !== null && text !== '')
    .join(' ')
}

function fieldOf(cause: unknown, name: string): string | null {
  const value: unknown = cause instanceof Error ? (cause as unknown as Record<string, unknown>)[name] : null
  return typeof value === 'string' ? value : null
}
