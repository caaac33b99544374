import type { MiddlewareHandler } from 'hono'
import { TICK, nextOrTick } from '@longhaul/runtime'
import { ApiFailure } from '../api-failure.ts'
import { findLimits } from './route-limits.ts'

/** Nobody is left waiting for an answer that does not come; what was asked may still be done. */
export const limitTime: MiddlewareHandler = async (context, next) => {
  const { receiveMs, answerMs } = findLimits(context.req.path)
  if ((await nextOrTick(next(), receiveMs + answerMs)) !== TICK) return
  throw new ApiFailure('store-unavailable', 'It takes too long. Look at the session before you try again.')
}
