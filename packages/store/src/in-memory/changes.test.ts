import { expect, it } from 'vitest'
import type { Change } from '../port/store.ts'
import { createChanges } from './changes.ts'

it('a listener is called beside the write, unless it has stopped by then', async () => {
  const changes = createChanges()
  const heard: Change[] = []
  const stopFirst = changes.watch((change) => heard.push(change))
  const stopSecond = changes.watch((change) => heard.push(change))
  changes.emit({ sessionId: 's1', what: 'inbox' })
  expect(heard).toEqual([])
  stopFirst()
  await Promise.resolve()
  expect(heard).toEqual([{ sessionId: 's1', what: 'inbox' }])
  stopSecond()
})
