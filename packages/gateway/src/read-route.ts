/** The parts of a gateway's path. */
export interface Route {
  readonly upstream: string
  /** The conversation's name, where the path holds one. */
  readonly session: string | null
  /** The vendor's own path with its query, such as `/v1/messages?beta=true`. */
  readonly path: string
}

/** Reads `/gateway/NAME/…` and `/gateway/s/ID/NAME/…`. null: it is none of them. */
export function readRoute(path: string): Route | null {
  const [, session, upstream, rest] = /^\/gateway(?:\/s\/([^/?]+))?\/([^/?]+)(\/[^?]*(?:\?.*)?)$/s.exec(path) ?? []
  if (upstream === undefined || rest === undefined) return null
  return { upstream, session: session === undefined ? null : decodeName(session), path: rest }
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/**
 * The upstream's address for a vendor's path. Base addresses are given with and without the version that the path holds.
 * null: the path leads out of the base address, as `/../` does.
 */
export function upstreamUrl(baseURL: string, path: string): URL | null {
  const base = baseURL.replace(/\/+$/, '')
  const version = /\/v\d+$/.exec(base)?.[0]
  const isDoubled = version !== undefined && path.startsWith(`${version}/`)
  const root = new URL(isDoubled ? base.slice(0, -version.length) : base)
  const url = URL.parse(root.href.replace(/\/+$/, '') + path)
  const folder = root.pathname.replace(/\/*$/, '/')
  return url !== null && url.origin === root.origin && url.pathname.startsWith(folder) ? url : null
}
