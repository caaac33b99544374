import { useSyncExternalStore } from 'react'
import { readRoute, writeRoute } from './route.ts'
import type { Route } from './route.ts'

export function useRoute(): Route {
  const hash = useSyncExternalStore(watchHash, () => location.hash)
  return readRoute(hash)
}

export function goTo(route: Route): void {
  location.hash = writeRoute(route)
}

function watchHash(onChange: () => void): () => void {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}
