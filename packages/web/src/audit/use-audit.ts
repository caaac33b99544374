import type { AuditStatus, NewAudit } from '@longhaul/protocol'
import { useEffect } from 'react'
import { useClient } from '../api/client-context.tsx'
import { useAction } from '../api/use-action.ts'
import type { Action } from '../api/use-action.ts'
import { useLoaded } from '../api/use-loaded.ts'
import type { Loaded } from '../api/use-loaded.ts'

const ASK_EVERY_MS = 700

export interface Audit {
  readonly loaded: Loaded<AuditStatus>
  readonly start: Action<[wishes: NewAudit]>
  readonly stop: Action<[]>
}

/** The audit of this machine; while one is under way, the server is asked again and again how far it is. */
export function useAudit(): Audit {
  const client = useClient()
  const loaded = useLoaded(() => client.getAudit(), [client])
  const { value, isLoading, reload } = loaded
  const start = useAction(async (wishes: NewAudit) => {
    await client.startAudit(wishes)
    reload()
  })
  const stop = useAction(async () => {
    await client.stopAudit()
    reload()
  })
  const isRunning = value?.state === 'running'
  useEffect(() => {
    const timer = isRunning && !isLoading ? setTimeout(reload, ASK_EVERY_MS) : undefined
    return () => clearTimeout(timer)
  }, [isRunning, isLoading, reload])
  return { loaded, start, stop }
}
