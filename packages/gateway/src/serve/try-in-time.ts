import type { GatewayCall } from './gateway-call.ts'
import type { GatewayContext } from './gateway-context.ts'
import { nameOf } from './name-of.ts'

export interface Attempt {
  readonly call: GatewayCall
  readonly context: GatewayContext
  /** Says in the log what becomes of the call without it. */
  readonly otherwise: string
}

/** Resolves with what the work gives; null: it failed or took too long, and the call goes on without it. */
export async function tryInTime<T>(work: Promise<T>, { call, context, otherwise }: Attempt): Promise<T | null> {
  const { deadline, log } = context
  try {
    const made = await deadline.within(work.then((value) => ({ value })))
    if (made === null) log(`gateway: ${otherwise} (it took too long)`)
    return made?.value ?? null
  } catch (error) {
    if (call.signal.aborted) throw error
    log(`gateway: ${otherwise} (${nameOf(error)})`)
    return null
  }
}
