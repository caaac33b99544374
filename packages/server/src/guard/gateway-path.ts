/** Programs that speak a vendor's wire call these paths. */
export function isGatewayPath(path: string): boolean {
  return path === '/gateway' || path.startsWith('/gateway/')
}

/** A path of the gateway without this server's token, which clients that can send no header of their own put into it. */
export interface GatewayPath {
  /** null: the path holds none. */
  readonly token: string | null
  readonly path: string
}

/** Reads `/gateway/t/TOKEN/…`; what follows the token is the path that any other client would use. */
export function readGatewayPath(path: string): GatewayPath {
  const [, token, rest] = /^\/gateway\/t\/([^/?]+)(\/.*)$/s.exec(path) ?? []
  if (token === undefined || rest === undefined) return { token: null, path }
  return { token: decodeToken(token), path: `/gateway${rest}` }
}

function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token)
  } catch {
    return token
  }
}
