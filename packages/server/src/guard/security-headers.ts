import type { MiddlewareHandler } from 'hono'

/** They stand on every answer, unless the answer says otherwise. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  // What is not a page of ours loads nothing and is shown nowhere; pages bring their own.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  // Conversations are in nobody's cache; the web app's files say otherwise.
  'cache-control': 'no-store',
} as const

/** On every answer, errors too. */
export const setSecurityHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  for (const [name, value] of Object.entries(SECURITY_HEADERS))
    if (!context.res.headers.has(name)) context.header(name, value)
}
