import type { Client, Request } from '@longhaul/protocol'
import { useRef, useState } from 'react'
import { useClient } from '../../api/client-context.tsx'
import { useLoaded } from '../../api/use-loaded.ts'
import type { Loaded } from '../../api/use-loaded.ts'
import { mergeRequests } from './merge-requests.ts'

export interface KnownRequests {
  /** Newest first. */
  readonly requests: readonly Request[]
  readonly hasOlder: boolean
}

const PAGE_REQUESTS = 200
/** Loaded at first, and more with every wish for older ones. */
const FIRST_REQUESTS = 1_000

/** The requests of a session, as many as a person looks at; what is known already is not asked for again. */
export function useRequests(
  sessionId: string,
  version: number,
): Loaded<KnownRequests> & { readonly loadOlder: () => void } {
  const client = useClient()
  const [wanted, setWanted] = useState(FIRST_REQUESTS)
  const known = useRef<KnownRequests & { readonly sessionId: string }>({ sessionId, requests: [], hasOlder: true })
  const loaded = useLoaded(async () => {
    const before = known.current.sessionId === sessionId ? known.current : { requests: [], hasOlder: true }
    const newer = await loadFresh(client, sessionId, before.requests)
    const all = await loadMore(client, sessionId, { ...before, ...newer }, wanted)
    known.current = { sessionId, ...all }
    return all
  }, [client, sessionId, version, wanted])
  return { ...loaded, loadOlder: () => setWanted((count) => count + FIRST_REQUESTS) }
}

/** From the newest back to one that was settled when it was last seen. */
async function loadFresh(
  client: Client,
  sessionId: string,
  known: readonly Request[],
): Promise<Partial<KnownRequests>> {
  const settled = known.find(({ outcome }) => outcome !== null)?.number
  let requests = known
  let before: string | undefined
  for (;;) {
    const page = await client.listRequests(sessionId, {
      limit: PAGE_REQUESTS,
      ...(before === undefined ? {} : { before }),
    })
    requests = mergeRequests(requests, page.items)
    if (settled === undefined) return { requests, hasOlder: page.next !== null }
    if (page.next === null || page.items.some(({ number }) => number <= settled)) return { requests }
    before = page.next
  }
}

async function loadMore(
  client: Client,
  sessionId: string,
  { requests, hasOlder }: KnownRequests,
  wanted: number,
): Promise<KnownRequests> {
  let all = requests
  let mayHaveOlder = hasOlder
  while (mayHaveOlder && all.length < wanted) {
    const oldest = all.at(-1)
    if (oldest === undefined) break
    const page = await client.listRequests(sessionId, { limit: PAGE_REQUESTS, before: String(oldest.number) })
    all = mergeRequests(all, page.items)
    mayHaveOlder = page.next !== null && page.items.length > 0
  }
  return { requests: all, hasOlder: mayHaveOlder }
}
