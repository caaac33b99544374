/** What the page shows, as its address says it. */
export type Route =
  | { readonly page: 'new' }
  | { readonly page: 'memory' }
  | { readonly page: 'audit' }
  | { readonly page: 'session'; readonly id: string }

/** Whatever is no address of ours leads to a new chat. */
export function readRoute(hash: string): Route {
  if (hash === '#/memory') return { page: 'memory' }
  if (hash === '#/audit') return { page: 'audit' }
  const [, id] = /^#\/s\/([^/]+)$/.exec(hash) ?? []
  if (id === undefined) return { page: 'new' }
  try {
    return { page: 'session', id: decodeURIComponent(id) }
  } catch {
    return { page: 'new' }
  }
}

export function writeRoute(route: Route): string {
  switch (route.page) {
    case 'new':
      return '#/'
    case 'memory':
      return '#/memory'
    case 'audit':
      return '#/audit'
    case 'session':
      return `#/s/${encodeURIComponent(route.id)}`
    default:
      return route satisfies never
  }
}
