import type { Client } from '@longhaul/protocol'
import { createContext, useContext } from 'react'

const ClientContext = createContext<Client | null>(null)

export const ClientProvider = ClientContext.Provider

/** The server's API, with the token of this tab if it needs one. */
export function useClient(): Client {
  const client = useContext(ClientContext)
  if (client === null) throw new Error('useClient is used outside of a ClientProvider.')
  return client
}
