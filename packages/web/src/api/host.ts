import { ApiError } from '@longhaul/protocol'
import { createContext, useContext } from 'react'

/** The program that keeps the conversation on screen, where Longhaul does not: here it can be read, and little is asked of it. */
export interface Host {
  /** Its name. */
  readonly origin: string
  /** The kinds of what waits for its next call, such as `undo`. */
  readonly waiting: readonly string[]
}

const HostContext = createContext<Host | null>(null)

export const HostProvider = HostContext.Provider

/** null: the conversation is Longhaul's own. */
export function useHost(): Host | null {
  return useContext(HostContext)
}

/** Asks something of a session. What is stored for a host is no failure: the page shows that it waits. */
export async function ask(host: Host | null, asked: Promise<unknown>): Promise<void> {
  try {
    await asked
  } catch (error) {
    const isStored = error instanceof ApiError && error.status === 202
    if (host === null || !isStored) throw error
  }
}

/** Said where something waits. */
export function describeWaiting(what: string, { origin }: Host): string {
  return `${what} will be applied at ${origin}’s next call.`
}
