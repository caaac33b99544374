import { expect, it } from 'vitest'
import { createOneAtATime } from './one-at-a-time.ts'

it('the next begins when the one before has ended, however it ended', async () => {
  const run = createOneAtATime()
  const told: string[] = []
  const first = Promise.withResolvers<void>()
  const failing = run(async () => {
    told.push('first begins')
    await first.promise
  })
  const second = run(async () => void told.push('second begins'))
  await Promise.resolve()
  told.push('first fails')
  first.reject(new Error('no'))
  await expect(failing).rejects.toThrow('no')
  await second
  expect(told).toEqual(['first begins', 'first fails', 'second begins'])
})
