import type { Request } from '@longhaul/protocol'

/** Newest first. What is fresh wins: a request that ran has an outcome by now. */
export function mergeRequests(known: readonly Request[], fresh: readonly Request[]): readonly Request[] {
  const byNumber = new Map([...known, ...fresh].map((request) => [request.number, request]))
  return [...byNumber.values()].toSorted((first, second) => second.number - first.number)
}
