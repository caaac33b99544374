import { createHash } from 'node:crypto'
import { z } from '@hono/zod-openapi'

/** Made by the client: the same key again is the same request, and gets the same answer. */
export const idempotencyHeaders = z.object({
  'idempotency-key': z.string().min(1).max(255).optional(),
})

/** The id of a request that its client may have named. */
export function idOfRequest(key: string | undefined): { readonly id?: string } {
  return key === undefined ? {} : { id: idOfKey(key) }
}

/** The id that whatever the request makes is stored under: so the store itself knows a repetition, after restarts too. */
export function idOfKey(key: string): string {
  return `key-${createHash('sha256').update(key).digest('hex').slice(0, 40)}`
}
