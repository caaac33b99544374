import type { Runtime } from '@longhaul/runtime'
import { ServerError } from '../server-error.ts'
import { isLoopback } from './is-loopback.ts'

/** null: it may listen there. Anybody could come in from elsewhere where there is no token. */
export function refuseOpenDoor(host: string, { token }: Pick<Runtime['config'], 'token'>): ServerError | null {
  if (isLoopback(host) || token !== null) return null
  return new ServerError(
    'no-token',
    'Only this machine may connect without a token. Set LONGHAUL_TOKEN to a secret of your own, or use --host 127.0.0.1.',
  )
}
