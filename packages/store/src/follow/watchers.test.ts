import { describe, expect, it } from 'vitest'
import type { Change } from '../port/store.ts'
import { createWatchers } from './watchers.ts'

const inbox = (sessionId: string): Change => ({ sessionId, what: 'inbox' })
const ANY: Change = { sessionId: null, what: 'any' }

function start(...sessionIds: readonly (string | undefined)[]) {
  const watchers = createWatchers()
  const heard: (readonly [by: number, change: Change])[] = []
  const stops = sessionIds.map((id, index) => watchers.watch((change) => heard.push([index, change]), id))
  return { watchers, heard, stops }
}

describe('watchers', () => {
  it('are called beside the write, unless they have stopped by then', async () => {
    const { watchers, heard, stops } = start(undefined, undefined)
    watchers.tell(inbox('s1'))
    expect(heard).toEqual([])
    stops[0]?.()
    await Promise.resolve()
    expect(heard).toEqual([[1, inbox('s1')]])
  })

  it('of one session hear nothing of others, and of what could be any', async () => {
    const { watchers, heard } = start('s1', 's2', undefined)
    watchers.tell(inbox('s1'))
    watchers.tell(ANY)
    await Promise.resolve()
    expect(heard).toEqual([
      [0, inbox('s1')],
      [2, inbox('s1')],
      [0, ANY],
      [1, ANY],
      [2, ANY],
    ])
  })

  it('leave nothing behind', async () => {
    const { watchers, heard, stops } = start('s1', 's1', undefined)
    stops[0]?.()
    stops[0]?.()
    expect(watchers.isEmpty()).toBe(false)
    const again = watchers.watch(() => {}, 's1')
    for (const stop of [...stops, again]) stop()
    expect(watchers.isEmpty()).toBe(true)
    watchers.watch(() => heard.push([9, ANY]), 's1')
    watchers.tell(ANY)
    watchers.clear()
    await Promise.resolve()
    expect(heard).toEqual([])
    expect(watchers.isEmpty()).toBe(true)
  })
})
