import type { Session, SessionStatus } from '@longhaul/protocol'
import { useClient } from '../../api/client-context.tsx'
import { useLoaded } from '../../api/use-loaded.ts'

export interface KnownSession {
  readonly session: Session
  readonly status: SessionStatus
}

/** What the server says of a session, asked for once for everybody on screen; undefined until it is there. */
export function useKnownSession(sessionId: string, version: number): KnownSession | undefined {
  const client = useClient()
  const { value } = useLoaded(async () => {
    const [session, status] = await Promise.all([client.getSession(sessionId), client.getStatus(sessionId)])
    return { session, status }
  }, [client, sessionId, version])
  return value
}
