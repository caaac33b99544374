import type { SessionRecord, Store } from '@longhaul/runtime'
import { CliError } from '../program/cli-error.ts'

/** Short enough to type, long enough to be meant. */
const MIN_PREFIX_CHARS = 4
const PAGE_SESSIONS = 200

/** By its id, by the start of its id, or the newest as `last`. Hidden sessions are not found. */
export async function findSession(store: Store, wanted: string): Promise<SessionRecord> {
  const exact = await store.sessions.get(wanted)
  if (exact !== null && exact.deletedAt === null) return exact
  const found = wanted === 'last' ? await findNewest(store) : await findByPrefix(store, wanted)
  if (found !== null) return found
  const what = wanted === 'last' ? 'There is no session yet' : `There is no session ${wanted}`
  throw new CliError(`${what}; \`longhaul sessions list\` shows what there is.`)
}

async function findNewest(store: Store): Promise<SessionRecord | null> {
  return (await store.sessions.list({ limit: 1 })).items[0] ?? null
}

async function findByPrefix(store: Store, prefix: string): Promise<SessionRecord | null> {
  if (prefix.length < MIN_PREFIX_CHARS) return null
  const found: SessionRecord[] = []
  for await (const session of listSessions(store)) if (session.id.startsWith(prefix)) found.push(session)
  if (found.length < 2) return found[0] ?? null
  throw new CliError(`${found.length} sessions start with ${prefix}; type more of the id.`)
}

/** All that are not hidden, newest change first. */
async function* listSessions(store: Store): AsyncGenerator<SessionRecord> {
  for (let after: string | null = ''; after !== null;) {
    const page = await store.sessions.list({ limit: PAGE_SESSIONS, ...(after === '' ? {} : { after }) })
    yield* page.items
    after = page.next
  }
}
