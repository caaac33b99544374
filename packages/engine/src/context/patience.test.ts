import { describe, expect, test } from 'vitest'
import { createManualClock, settle } from '../testing/manual-clock.ts'
import { waitFor } from './patience.ts'
import { createStop } from './runtime.ts'

const NEVER = new Promise<void>(() => undefined)

function start(leftMs: number) {
  const clock = createManualClock()
  const stop = createStop()
  const patience = { leftMs }
  let isOver = false
  return {
    clock,
    stop,
    patience,
    isOver: () => isOver,
    wait: (work: Promise<unknown>, maxMs?: number): Promise<void> => {
      isOver = false
      const options = { clock, patience, signal: stop.signal, ...(maxMs === undefined ? {} : { maxMs }) }
      return waitFor(work, options).then(() => void (isOver = true))
    },
  }
}

describe('a wait ends', () => {
  test('with the work, and takes only as much patience as that took', async () => {
    const { clock, patience, wait } = start(1_000)
    const { promise, resolve } = Promise.withResolvers<void>()
    const waited = wait(promise)
    await clock.pass(300)
    resolve()
    await waited
    expect(patience.leftMs).toBe(700)
    expect(clock.waiting()).toBe(0)
  })

  test('with work that fails, which is for others to hear of', async () => {
    const { wait } = start(1_000)
    await expect(wait(Promise.reject(new Error('down')))).resolves.toBeUndefined()
  })

  test('ONE-20 when the patience has run out; there is one for all waits of a turn', async () => {
    const { clock, patience, wait, isOver } = start(1_000)
    void wait(NEVER, 600)
    await clock.pass(600)
    expect([isOver(), patience.leftMs]).toEqual([true, 400])
    void wait(NEVER, 600)
    await clock.pass(399)
    expect(isOver()).toBe(false)
    await clock.pass(1)
    expect([isOver(), patience.leftMs]).toEqual([true, 0])
    await wait(NEVER)
    expect(clock.waiting(), 'without patience nothing is waited for').toBe(0)
  })

  test('when its own share of the patience has run out', async () => {
    const { clock, patience, wait } = start(1_000)
    await wait(NEVER, 0)
    await wait(NEVER, -5)
    expect(patience.leftMs).toBe(1_000)
    expect(clock.waiting()).toBe(0)
  })

  test('when somebody cancels', async () => {
    const { clock, patience, stop, wait } = start(1_000)
    const waited = wait(NEVER)
    await clock.pass(250)
    stop.abort()
    await waited
    expect(patience.leftMs).toBe(750)
    await wait(NEVER)
    await settle()
    expect(clock.waiting(), 'nor is anything waited for after that').toBe(0)
  })
})
