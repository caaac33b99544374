import { ApiFailure } from '../api-failure.ts'
import type { ServerContext } from '../server-context.ts'

/** A server that is about to stop begins nothing that it may not be able to end. */
export function refuseWhenDraining({ draining }: Pick<ServerContext, 'draining'>): void {
  if (draining.aborted)
    throw new ApiFailure(
      'store-unavailable',
      'This server is stopping. Try again: another one, or its next start, takes it.',
    )
}
