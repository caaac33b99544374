import { expect, test } from 'vitest'
import { settle } from '../testing/manual-clock.ts'
import { createQueue } from './queue.ts'

test('tasks run one after the other, in the order of the calls', async () => {
  const inTurn = createQueue()
  const seen: string[] = []
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const first = inTurn(async () => {
    seen.push('first begins')
    await opened
    seen.push('first ends')
    return 1
  })
  const second = inTurn(async () => {
    seen.push('second')
    return 2
  })
  await settle()
  expect(seen).toEqual(['first begins'])
  open()
  expect(await Promise.all([first, second])).toEqual([1, 2])
  expect(seen).toEqual(['first begins', 'first ends', 'second'])
})

test('a task that fails tells its caller, and the next one runs', async () => {
  const inTurn = createQueue()
  const failed = inTurn(() => Promise.reject(new Error('no')))
  const next = inTurn(async () => 'yes')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
