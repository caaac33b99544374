import type { RequestResult } from './run-result.ts'

/** The requests of a run, thinned out as it grows: what is done in between is never lost. */
export interface RequestList {
  add(request: RequestResult): void
  list(): readonly RequestResult[]
}

const MAX_LISTED = 4_000

/** Every request up to `maxListed`; then every second, every fourth, and so on. */
export function createRequestList(maxListed = MAX_LISTED): RequestList {
  let listed: RequestResult[] = []
  let waiting: RequestResult['events'] = []
  let [step, count] = [1, 0]
  return {
    add(request) {
      count += 1
      if (count % step !== 0) {
        waiting = [...waiting, ...request.events]
        return
      }
      listed.push(withEarlier(waiting, request))
      waiting = []
      if (listed.length < maxListed) return
      listed = listed.flatMap((kept, place) =>
        place % 2 === 0 ? [] : [withEarlier(listed[place - 1]?.events ?? [], kept)],
      )
      step *= 2
    },
    list: () => listed,
  }
}

function withEarlier(earlier: RequestResult['events'], request: RequestResult): RequestResult {
  return earlier.length === 0 ? request : { ...request, events: [...earlier, ...request.events] }
}
