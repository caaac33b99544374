import type { Client, Session } from '@longhaul/protocol'
import { useState } from 'react'
import { useClient } from '../api/client-context.tsx'
import { useLoaded } from '../api/use-loaded.ts'
import type { Loaded } from '../api/use-loaded.ts'

const PAGE = 50

interface Sessions {
  readonly items: readonly Session[]
  readonly hasMore: boolean
}

export interface SessionsHandle extends Loaded<Sessions> {
  readonly loadMore: () => void
}

/** Chats, newest first, as far down as was asked for. Another `version`: they may have changed. */
export function useSessions(query: string, version: number): SessionsHandle {
  const client = useClient()
  const [pages, setPages] = useState(1)
  const loaded = useLoaded(() => loadPages(client, query, pages), [client, query, pages, version])
  return { ...loaded, loadMore: () => setPages(pages + 1) }
}

async function loadPages(client: Client, query: string, pages: number): Promise<Sessions> {
  const items: Session[] = []
  let after: string | null = null
  for (let page = 0; page < pages; page += 1) {
    const found: Awaited<ReturnType<Client['listSessions']>> = await client.listSessions({
      limit: PAGE,
      ...(query === '' ? {} : { query }),
      ...(after === null ? {} : { after }),
    })
    items.push(...found.items)
    after = found.next
    if (after === null) break
  }
  return { items, hasMore: after !== null }
}
