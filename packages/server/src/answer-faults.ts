import { HTTPException } from 'hono/http-exception'
import { toAgentError } from '@longhaul/runtime'
import type { LogLine } from '@longhaul/runtime'
import { ApiFailure, answerFailure } from './api-failure.ts'
import type { App } from './server-context.ts'
import { findRoute } from './telemetry/watch-requests.ts'

/** Whatever a route throws, and whatever no route answers, becomes an error body of the API. */
export function answerFaults(app: App, { log }: { readonly log: (line: LogLine) => void }): void {
  app.notFound((context) => answerFailure(context, 'not-found', `There is nothing at ${context.req.path}.`))
  app.onError((error, context) => {
    const { code, message, status } = toFailure(error)
    // Whoever asked is told that the log says more.
    if (code === 'internal' || (code === 'store-unavailable' && !(error instanceof ApiFailure)))
      log({
        level: 'error',
        event: 'request-failed',
        message: error.message,
        method: context.req.method,
        route: findRoute(context),
        stack: error.stack ?? null,
        cause: describeCause(error),
      })
    return answerFailure(context, code, message, status)
  })
}

function toFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error
  // What the framework itself refuses: a body that is no JSON.
  if (error instanceof HTTPException && error.status < 500)
    return new ApiFailure('invalid-request', error.message, error.status === 415 ? 415 : undefined)
  const { code, message } = toAgentError(error)
  return new ApiFailure(code, message)
}

function describeCause({ cause }: Error): string | null {
  if (cause === undefined) return null
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
