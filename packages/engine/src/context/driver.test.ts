import { describe, expect, test } from 'vitest'
import { settle } from '../testing/manual-clock.ts'
import { startDriver } from '../testing/start-driver.ts'
import type { DriverUnderTest, PortsOptions } from '../testing/start-driver.ts'
import { createStop } from './runtime.ts'

const TIMEOUT_MS = 15_000
const USAGE = { input: 900, output: 100 }
/** Turns of 500 tokens: a summary is made ahead from 15 on, is due from 17 on, and from 19 on nothing fits. */
const AHEAD = 15
const DUE = 17
const TOO_MANY = 19

function start(options: PortsOptions = {}, turns = 0): DriverUnderTest {
  const under = startDriver(options)
  under.talk(turns)
  return under
}

const startAhead = (options: PortsOptions = {}, turns = AHEAD): DriverUnderTest =>
  start({ ...options, policy: { prepareRatio: 0.75, ...options.policy } }, turns)

const told = ({ events }: DriverUnderTest): readonly string[] =>
  events.flatMap((event) => {
    if (event.type === 'compact-started') return [event.isWaited ? 'started, waited for' : 'started']
    if (event.type === 'compact-completed') return [event.didCompact ? 'compacted' : `not: ${event.fallback}`]
    return event.type === 'trimmed' ? ['trimmed'] : []
  })

/** Whether a promise has been kept so far. */
function watch(promise: Promise<unknown>): () => boolean {
  let isOver = false
  void promise.then(() => void (isOver = true))
  return () => isOver
}

describe('a summary that is made ahead', () => {
  test('is kept until it is due: then it is used at once, and nobody is told of a start', async () => {
    const under = startAhead()
    expect(await under.ready('after-response')).toMatchObject({ action: 'proceed', reason: 'under-way' })
    under.calls[0]?.reply()
    await settle()
    expect(under.driver.holdsSummary()).toBe(true)
    expect(under.driver.isBusy()).toBe(false)
    expect(under.stored()).toEqual([])
    await under.ready('before-turn')
    expect(under.stored(), 'it is not due yet').toEqual([])
    under.talk(DUE - AHEAD)
    await under.ready('after-response')
    expect(under.stored()).toEqual(['compaction'])
    expect(told(under)).toEqual(['compacted'])
    expect(under.calls).toHaveLength(1)
    expect(under.driver.holdsSummary()).toBe(false)
  })

  test('is one: while it is held, no other is begun', async () => {
    const under = startAhead()
    await under.ready('after-response')
    await under.ready('before-turn')
    under.calls[0]?.reply()
    await settle()
    await under.ready('after-response')
    expect(under.calls).toHaveLength(1)
  })

  test('that is still under way when it is due is told of then, and put in place when it is ready', async () => {
    const under = startAhead()
    await under.ready('after-response')
    under.talk(DUE - AHEAD)
    await under.ready('after-response')
    expect(told(under)).toEqual(['started'])
    under.calls[0]?.reply()
    await under.driver.settled()
    expect(under.stored()).toEqual(['compaction'])
    expect(told(under)).toEqual(['started', 'compacted'])
    expect(under.calls).toHaveLength(1)
  })

  test('that failed is only recorded, and another is tried when one is due', async () => {
    const under = startAhead({ policy: { retries: 0 } })
    await under.ready('after-response')
    under.calls[0]?.fail()
    await settle()
    expect(told(under), 'nothing was due, so nothing is left out').toEqual([])
    under.talk(DUE - AHEAD)
    await under.ready('after-response')
    expect(under.stored()).toEqual(['maintenance-failed'])
    expect(under.calls).toHaveLength(2)
    under.calls[1]?.reply()
    await under.driver.settled()
    expect(under.stored()).toEqual(['maintenance-failed', 'compaction'])
  })

  test('is not used after the context has changed, and its bill counts', async () => {
    const under = startAhead()
    await under.ready('after-response')
    under.calls[0]?.reply({ usage: USAGE })
    await settle()
    under.append({ type: 'reset' })
    under.talk(AHEAD)
    await under.ready('after-response')
    expect(under.stored()).toEqual(['reset', 'bill'])
    expect(under.calls, 'one for the context as it is now').toHaveLength(2)
  })

  test('is used by a turn that would not fit, without a wait', async () => {
    const under = startAhead()
    await under.ready('after-response')
    under.calls[0]?.reply()
    await settle()
    under.talk(TOO_MANY - AHEAD)
    expect(await under.ready('before-turn')).toMatchObject({ action: 'proceed' })
    expect(under.stored()).toEqual(['compaction'])
    expect(told(under)).toEqual(['compacted'])
    expect(under.patience.leftMs).toBe(TIMEOUT_MS)
  })
})

describe('a summary that is due', () => {
  test('LH-08 runs beside the conversation: a request that fits does not wait for it', async () => {
    const under = start({}, DUE)
    expect(await under.ready('after-response')).toMatchObject({ action: 'proceed', reason: 'under-way' })
    expect(await under.ready('before-turn')).toMatchObject({ action: 'proceed', reason: 'fits' })
    expect(await under.ready('before-step')).toMatchObject({ action: 'proceed', reason: 'fits' })
    expect(await under.ready('after-response')).toMatchObject({ action: 'proceed', reason: 'under-way' })
    expect(under.calls).toHaveLength(1)
    expect(told(under)).toEqual(['started'])
    expect(under.patience.leftMs).toBe(TIMEOUT_MS)
  })

  test('is put in place between two requests, not during one', async () => {
    const under = start({}, DUE)
    await under.ready('after-response')
    await under.ready('before-turn')
    under.calls[0]?.reply()
    await settle()
    expect(under.stored(), 'a request is under way').toEqual([])
    await under.ready('before-step')
    expect(under.stored()).toEqual(['compaction'])
  })

  test('is put in place as soon as it is ready where no request is under way', async () => {
    const under = start({}, DUE)
    await under.ready('after-response')
    under.calls[0]?.reply()
    await settle()
    expect(under.stored()).toEqual(['compaction'])
    expect(told(under)).toEqual(['started', 'compacted'])
  })

  test('ONE-14 that failed is replaced by the way without a model, between two requests as well', async () => {
    const under = start({ policy: { retries: 0 } }, DUE)
    await under.ready('after-response')
    await under.ready('before-turn')
    under.calls[0]?.fail()
    await settle()
    expect(under.stored()).toEqual([])
    await under.ready('after-response')
    expect(under.stored().slice(0, 2)).toEqual(['maintenance-failed', 'trim'])
    expect(told(under).slice(0, 3)).toEqual(['started', 'trimmed', 'not: trim-oldest'])
  })

  test('that hangs is given up after its time, with nobody waiting', async () => {
    const under = start({ policy: { retries: 0, backgroundTimeoutMs: 2_000 } }, DUE)
    await under.ready('after-response')
    await under.clock.pass(2_000)
    expect(under.stored()).toEqual(['maintenance-failed', 'trim'])
    expect(under.calls[0]?.signal.aborted).toBe(true)
  })

  test('is left undone where it cannot be paid for; the window is another matter', async () => {
    const under = start({ maySpend: async () => false }, DUE)
    await under.ready('after-response')
    await under.driver.settled()
    expect([under.calls.length, under.stored(), told(under)]).toEqual([0, [], []])
    under.talk(TOO_MANY - DUE)
    const ready = under.ready('before-turn')
    await settle()
    under.calls[0]?.reply()
    await ready
    expect(under.stored()).toEqual(['compaction'])
  })

  test('is not used after the model was changed, and the conversation goes on', async () => {
    const under = start({}, DUE)
    await under.ready('after-response')
    under.append({ type: 'model-change', model: 'another' })
    under.calls[0]?.reply()
    await settle()
    expect(under.stored()).toEqual(['model-change'])
    expect(await under.ready('before-turn')).toMatchObject({ action: 'proceed' })
  })
})

describe('a request that does not fit', () => {
  test('ONE-20 waits, and the wait is told when it begins', async () => {
    const under = start({}, TOO_MANY)
    const isOver = watch(under.ready('before-turn'))
    await under.clock.pass(4_000)
    expect(isOver()).toBe(false)
    expect(told(under)).toEqual(['started, waited for'])
    under.calls[0]?.reply()
    await settle()
    expect(isOver()).toBe(true)
    expect(under.stored()).toEqual(['compaction'])
    expect(under.patience.leftMs).toBe(TIMEOUT_MS - 4_000)
  })

  test('ONE-20 waits no longer than the time as a whole, retry included; then code makes room', async () => {
    const under = start({}, TOO_MANY)
    const isOver = watch(under.ready('before-turn'))
    await under.clock.pass(10_000)
    under.calls[0]?.fail()
    await settle()
    expect(under.calls, 'the retry').toHaveLength(2)
    await under.clock.pass(4_999)
    expect(isOver()).toBe(false)
    await under.clock.pass(1)
    expect(isOver()).toBe(true)
    expect(under.stored()).toEqual(['maintenance-failed', 'trim'])
    expect(told(under)).toEqual(['started, waited for', 'trimmed', 'not: trim-oldest'])
  })

  test('ONE-20 has one patience for the turn: the next one that does not fit waits for what is left', async () => {
    const under = start({ policy: { retries: 0 } }, TOO_MANY)
    const first = under.ready('before-turn')
    await under.clock.pass(9_000)
    under.calls[0]?.reply()
    await first
    under.talk(15)
    const isOver = watch(under.ready('before-step'))
    await under.clock.pass(5_999)
    expect(isOver()).toBe(false)
    await under.clock.pass(1)
    expect(isOver()).toBe(true)
    expect(under.patience.leftMs).toBe(0)
    under.talk(8)
    await under.ready('before-step')
    expect(under.stored(), 'then code makes room at once').toEqual(['compaction', 'maintenance-failed', 'trim', 'trim'])
    expect(under.calls, 'and no summary is asked for that nobody can wait for').toHaveLength(2)
  })

  test('ONE-20 that comes to wait for a summary under way is told so, and waits for the rest of its time', async () => {
    const under = start({}, DUE)
    await under.ready('after-response')
    await under.clock.pass(6_000)
    under.talk(TOO_MANY - DUE)
    const isOver = watch(under.ready('before-turn'))
    await settle()
    expect(told(under)).toEqual(['started', 'started, waited for'])
    expect(under.calls, 'one at a time').toHaveLength(1)
    await under.clock.pass(8_999)
    expect(isOver()).toBe(false)
    await under.clock.pass(1)
    expect(isOver()).toBe(true)
    expect(under.stored()).toEqual(['maintenance-failed', 'trim'])
  })

  test('ONE-16 waits on for a chunked summary whose calls are answered, within the patience of the turn', async () => {
    const under = start({ policy: { maxInputChars: 'chunked', retries: 0 } }, DUE)
    await under.ready('after-response')
    await under.clock.pass(14_000)
    under.calls[0]?.reply()
    await settle()
    expect(under.calls, 'the next part').toHaveLength(2)
    under.talk(TOO_MANY - DUE)
    const isOver = watch(under.ready('before-turn'))
    await under.clock.pass(5_000)
    expect(isOver(), '19 s after its start').toBe(false)
    for (let part = 1; !isOver(); part += 1) {
      under.calls[part]?.reply()
      await settle()
    }
    expect(under.stored()).toEqual(['compaction'])
    expect(under.patience.leftMs).toBe(TIMEOUT_MS - 5_000)
  })

  test('ONE-16 does not wait on for a chunked summary whose first call hangs', async () => {
    const under = start({ policy: { maxInputChars: 'chunked', retries: 0 } }, DUE)
    await under.ready('after-response')
    await under.clock.pass(14_000)
    under.talk(TOO_MANY - DUE)
    const isOver = watch(under.ready('before-turn'))
    await under.clock.pass(1_000)
    expect(isOver()).toBe(true)
    expect(under.stored()).toEqual(['maintenance-failed', 'trim'])
  })

  test('gets room by all that a full window allows, whatever the summary was begun for', async () => {
    const under = start({ policy: { fallback: 'trim-count', maxMessages: 100 } }, DUE)
    await under.ready('after-response')
    under.talk(TOO_MANY - DUE)
    const ready = under.ready('before-turn')
    await under.clock.pass(TIMEOUT_MS)
    await ready
    expect(under.stored()).toEqual(['maintenance-failed', 'trim'])
  })

  test('is cancelled by its user at once; the summary it came to wait for goes on', async () => {
    const under = start({}, DUE)
    await under.ready('after-response')
    under.talk(TOO_MANY - DUE)
    const isOver = watch(under.ready('before-turn'))
    await under.clock.pass(100)
    under.stop.abort()
    await settle()
    expect(isOver()).toBe(true)
    expect(under.driver.holdsSummary()).toBe(true)
    under.calls[0]?.reply()
    await under.driver.settled()
    expect(under.stored()).toEqual(['compaction'])
  })

  test('takes the summary that it waited for with it when it is cancelled', async () => {
    const under = start({}, TOO_MANY)
    const ready = under.ready('before-turn')
    await under.clock.pass(100)
    under.stop.abort()
    await ready
    expect(under.calls[0]?.signal.aborted).toBe(true)
    expect(under.driver.holdsSummary()).toBe(false)
    expect([under.stored(), told(under)]).toEqual([[], ['started, waited for', 'not: null']])
  })
})

describe('a summary that somebody asked for', () => {
  const compact = ({ driver }: DriverUnderTest, signal = createStop().signal) => driver.compact({ signal })

  test('OPEN-14 takes the place of one that is made ahead', async () => {
    const under = startAhead()
    await under.ready('after-response')
    const compacted = compact(under)
    await settle()
    expect(under.calls[0]?.signal.aborted).toBe(true)
    expect(under.calls).toHaveLength(2)
    under.calls[1]?.reply()
    expect(await compacted).toMatchObject({ didCompact: true })
    expect(under.entries.at(-1)).toMatchObject({ type: 'compaction', reason: 'manual' })
  })

  test('LH-08 holds no request up, and is put in place as soon as it is ready', async () => {
    const under = start({}, 10)
    const isOver = watch(compact(under))
    await settle()
    expect(await under.ready('before-turn')).toMatchObject({ action: 'proceed', reason: 'fits' })
    expect(isOver()).toBe(false)
    under.calls[0]?.reply()
    await settle()
    expect(isOver()).toBe(true)
    expect(under.stored()).toEqual(['compaction'])
  })

  test('can be cancelled, also while it hangs', async () => {
    const under = start({}, 10)
    const stop = createStop()
    const compacted = compact(under, stop.signal)
    await settle()
    stop.abort()
    expect(await compacted).toMatchObject({ didCompact: false, fallback: null })
    expect(under.stored()).toEqual([])
  })

  test('ONE-15 is refused with the reason where there is nothing to summarize', async () => {
    expect(await compact(start())).toEqual({ didCompact: false, nothing: 'no-messages' })
  })

  test('LH-07 waits for a flush that hangs no longer than a turn would', async () => {
    const memoryFlush = { ...start().context().policy.compaction.memoryFlush, enabled: true }
    const under = start({ hasMemory: true, policy: { memoryFlush } }, 10)
    void compact(under)
    await under.clock.pass(TIMEOUT_MS - 1)
    expect([under.flushes.length, under.calls.length]).toEqual([1, 0])
    await under.clock.pass(1)
    expect(under.calls).toHaveLength(1)
  })
})

describe('a provider’s refusal', () => {
  const refuse = (under: DriverUnderTest, refusals = 0) =>
    under.driver.makeRoom({ signal: under.stop.signal, patience: under.patience, tokensBefore: 8_000, refusals })

  test('OPEN-15 is answered by a compaction that the turn waits for', async () => {
    const under = start({}, 16)
    const made = refuse(under)
    await settle()
    under.calls[0]?.reply()
    expect(await made).toBe(true)
    expect(told(under)).toEqual(['started, waited for', 'compacted'])
  })

  test('ONE-20 OPEN-15 waits once for a summariser that hangs, whatever the number of refusals', async () => {
    const under = start({}, 16)
    const made = refuse(under)
    await under.clock.pass(TIMEOUT_MS)
    expect(await made).toBe(true)
    const again = refuse(under, 1)
    await settle()
    expect(await again).toBe(true)
    expect(under.calls).toHaveLength(1)
    expect(under.stored()).toEqual(['maintenance-failed', 'trim', 'trim'])
  })
})

describe('with automatic compaction off', () => {
  const memoryFlush = { ...startDriver().context().policy.compaction.memoryFlush, enabled: true }
  const off = { hasMemory: true, policy: { enabled: false, memoryFlush } } as const

  test('OPEN-11 OPEN-19 nothing is done at a threshold or at the window', async () => {
    const under = start(off, TOO_MANY)
    for (const checkPoint of ['before-turn', 'before-step', 'after-response'] as const)
      expect(await under.ready(checkPoint)).toMatchObject({ action: 'proceed' })
    expect([under.calls.length, under.flushes.length, under.stored()]).toEqual([0, 0, []])
  })

  test('OPEN-19 a refusal is answered by a summary; no flush is paid for', async () => {
    const under = start(off, TOO_MANY)
    const made = under.driver.makeRoom({
      signal: under.stop.signal,
      patience: under.patience,
      tokensBefore: 9_500,
      refusals: 0,
    })
    await settle()
    under.calls[0]?.reply()
    expect(await made).toBe(true)
    expect([under.flushes.length, under.stored()]).toEqual([0, ['compaction']])
  })
})

describe('the end', () => {
  test('uses a summary that is ready, though it was not due yet: it has been paid for', async () => {
    const under = startAhead()
    await under.ready('after-response')
    under.calls[0]?.reply()
    await settle()
    await under.driver.stop()
    expect(under.stored()).toEqual(['compaction'])
  })

  test('never waits for one that hangs, but for its bill, for half a second', async () => {
    const under = start({}, DUE)
    await under.ready('after-response')
    const isOver = watch(under.driver.stop())
    await under.clock.pass(499)
    expect(isOver()).toBe(false)
    await under.clock.pass(1)
    expect(isOver()).toBe(true)
    expect(under.stored()).toEqual([])
  })

  test('takes a late bill in', async () => {
    const under = start({}, DUE)
    await under.ready('after-response')
    const stopped = under.driver.stop()
    await settle()
    under.calls[0]?.reply({ usage: USAGE })
    await stopped
    expect(under.stored()).toEqual(['bill'])
  })

  test('begins nothing any more', async () => {
    const under = start({}, DUE)
    await under.driver.stop()
    await under.ready('after-response')
    expect(under.calls).toHaveLength(0)
  })

  test('LH-07 never waits for a flush that hangs', async () => {
    const memoryFlush = { ...start().context().policy.compaction.memoryFlush, enabled: true }
    const under = start({ hasMemory: true, policy: { memoryFlush } }, DUE)
    await under.ready('after-response')
    const isOver = watch(under.driver.stop())
    await under.clock.pass(1_000)
    expect(isOver()).toBe(true)
    expect(under.flushes[0]?.signal.aborted).toBe(true)
  })
})

describe('a cancel', () => {
  test('ends what is due and under way; nothing is left out for it', async () => {
    const under = start({}, DUE)
    await under.ready('after-response')
    under.driver.cancel()
    await under.driver.settled()
    expect(under.calls[0]?.signal.aborted).toBe(true)
    expect([under.stored(), told(under)]).toEqual([[], ['started', 'not: null']])
  })

  test('leaves a summary alone that is made ahead', async () => {
    const under = startAhead()
    await under.ready('after-response')
    under.driver.cancel()
    expect(under.driver.isBusy()).toBe(true)
    expect(under.calls[0]?.signal.aborted).toBe(false)
  })
})

describe('what is settled', () => {
  test('does not count a summary that is made ahead where only what is due is asked for', async () => {
    const under = startAhead()
    await under.ready('after-response')
    await under.driver.settled('due')
    const isOver = watch(under.driver.settled())
    await settle()
    expect(isOver()).toBe(false)
    under.calls[0]?.reply()
    await settle()
    expect(isOver()).toBe(true)
  })
})
