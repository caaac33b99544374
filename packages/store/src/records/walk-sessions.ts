import type { SessionQuery, SessionRecord, Sessions } from '../port/sessions.ts'

/** Every session that a query finds, page by page. One that changes meanwhile moves to the front, and may be missed. */
export async function* walkSessions(
  sessions: Sessions,
  query: Omit<SessionQuery, 'after'>,
): AsyncGenerator<SessionRecord> {
  let next: string | null = null
  do {
    const page = await sessions.list(next === null ? query : { ...query, after: next })
    yield* page.items
    next = page.next
  } while (next !== null)
}
