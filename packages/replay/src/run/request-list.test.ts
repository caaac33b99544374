import { describe, expect, it } from 'vitest'
import { createRequestList } from './request-list.ts'
import type { EventResult, RequestResult } from './run-result.ts'

/** Each with one event that tells which request it came before. */
function request(message: number): RequestResult {
  const event = { action: 'prune', reason: String(message) } as unknown as EventResult
  return { message, events: [event] } as unknown as RequestResult
}

describe('createRequestList', () => {
  it('lists every request of a short run', () => {
    const list = createRequestList(8)
    for (let message = 0; message < 7; message += 1) list.add(request(message))
    expect(list.list().map(({ message }) => message)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('thins a long run out evenly, and loses no event before the last listed request', () => {
    const list = createRequestList(8)
    for (let message = 0; message < 1_000; message += 1) list.add(request(message))
    const listed = list.list()
    expect(listed.length).toBeLessThan(8)
    const steps = listed.slice(1).map(({ message }, place) => message - (listed[place]?.message ?? 0))
    expect(new Set(steps).size).toBe(1)
    const events = listed.flatMap((each) => each.events.map(({ reason }) => Number(reason)))
    expect(events).toEqual(Array.from({ length: (listed.at(-1)?.message ?? 0) + 1 }, (_, index) => index))
  })
})
