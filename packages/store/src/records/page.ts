import { checkId } from './check-id.ts'
import { StoreError } from '../store-error.ts'

const DEFAULT_PAGE_ITEMS = 50
const MAX_PAGE_ITEMS = 1_000

/** A page size out of range is clamped, never refused. */
export function clampLimit(limit: number | undefined): number {
  if (limit === undefined || Number.isNaN(limit)) return DEFAULT_PAGE_ITEMS
  return Math.max(1, Math.min(MAX_PAGE_ITEMS, Math.floor(limit)))
}

/** Where a list of sessions goes on: after this one, in the order of last change. */
export interface SessionCursor {
  readonly updatedAt: number
  readonly id: string
}

export function writeCursor({ updatedAt, id }: SessionCursor): string {
  return `${updatedAt}.${id}`
}

export function readCursor(cursor: string): SessionCursor {
  const match = /^(-?\d{1,16})\.(.+)$/s.exec(cursor)
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new StoreError(
      'invalid',
      'The place to go on from is not one this list has given. Start from its first page.',
    )
  }
  checkId(match[2], 'session')
  return { updatedAt: Number(match[1]), id: match[2] }
}

/** How many entries are read at once where a whole session is walked: few enough to hold, images and all. */
export const WALK_ENTRIES = 200
