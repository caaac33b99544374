import { createHash, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'

/**
 * The right to allow tool calls. A client gets it from a one-time address that a person opened in a browser, or has it by
 * the server's token. A process that a command left behind reaches this server too, and has neither.
 */
export interface ApprovalRight {
  /** Makes the path of a one-time address. Of its code only a digest is kept. */
  createOpeningPath(): string
  /** Uses a code up and gives the client of this request the right, in a cookie. False: the code is not one that is unused. */
  grant(context: Context, code: string): boolean
  isHeldBy(context: Context): boolean
}

export interface ApprovalRightOptions {
  /** Every request that reaches a route has shown the token already. */
  readonly hasToken: boolean
  /** Called each time that a one-time address was opened and used up. */
  readonly onGranted?: () => void
}

/** 256 bits: nobody guesses one, so a code need not run out while its person is away. */
const SECRET_BYTES = 32
/** Browsers with the right, and codes that nobody has opened yet. The oldest go first. */
const MAX_KEPT = 100

export function createApprovalRight({ hasToken, onGranted }: ApprovalRightOptions): ApprovalRight {
  const codes = new Set<string>()
  const clients = new Set<string>()
  return {
    createOpeningPath() {
      const code = createSecret()
      keep(codes, code)
      return `/open/${code}`
    },
    grant(context, code) {
      if (!codes.delete(digest(code))) return false
      const secret = createSecret()
      keep(clients, secret)
      // Without an age it goes with the browser. No page reads it, and no other site sends it.
      setCookie(context, nameCookie(context), secret, { httpOnly: true, sameSite: 'Strict', path: '/' })
      onGranted?.()
      return true
    },
    isHeldBy(context) {
      if (hasToken) return true
      const secret = getCookie(context, nameCookie(context))
      return secret !== undefined && clients.has(digest(secret))
    },
  }
}

/** Cookies are shared by all ports of a host: the name keeps servers on several ports apart. */
function nameCookie({ req }: Context): string {
  const { port } = new URL(req.url)
  return `longhaul-${port === '' ? '80' : port}`
}

function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

function keep(kept: Set<string>, secret: string): void {
  kept.add(digest(secret))
  const [oldest] = kept
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64')
}
