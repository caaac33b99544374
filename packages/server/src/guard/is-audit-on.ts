import type { Runtime } from '@longhaul/runtime'
import { isLoopback } from './is-loopback.ts'

interface Audited {
  readonly runtime: Pick<Runtime, 'audit' | 'config'>
  /** The name or address it listens on. */
  readonly host: string
}

/**
 * Whether this server audits the agents of its machine. Unless the configuration says so, only a server for one person
 * does: it listens on this machine alone, has no token to share, and no proxy stands before it under another name.
 */
export function isAuditOn({ runtime: { audit, config }, host }: Audited): boolean {
  if (audit === null) return false
  return config.audit.enabled ?? (isLoopback(host) && config.token === null && config.server.allowedHosts.length === 0)
}
