import { describe, expect, test } from 'vitest'
import type { CompactionPlan } from '../compaction/compaction-plan.ts'
import { planShrinking } from '../request/plan/plan-shrinking.ts'
import { settle } from '../testing/manual-clock.ts'
import { createTestPorts } from '../testing/start-driver.ts'
import type { PortsOptions } from '../testing/start-driver.ts'
import { CANCELLED, startSummary } from './summary-work.ts'
import type { SummaryOptions } from './summary-work.ts'

const USAGE = { input: 900, output: 100 }

function start(summary: SummaryOptions = {}, options: PortsOptions = {}) {
  const under = createTestPorts(options)
  under.talk(17)
  const plan = planShrinking(under.context(), { reason: 'threshold', tokensBefore: 8_502 }) as CompactionPlan
  return { ...under, plan, work: startSummary(under.ports, plan, summary) }
}

describe('a summary', () => {
  test('changes nothing when it is ready: it is kept as an outcome', async () => {
    const { work, calls, entries, events, clock } = start()
    const before = entries.length
    expect(work.outcome()).toBeNull()
    calls[0]?.reply({ usage: USAGE })
    await work.done
    expect(work.outcome()).toMatchObject({ kind: 'compacted', attempts: 1, entry: { usage: USAGE } })
    expect(entries).toHaveLength(before)
    expect(events).toMatchObject([{ type: 'summary-made', outcome: { kind: 'compacted' } }])
    expect(clock.waiting(), 'its timer is gone').toBe(0)
  })

  test('ONE-14 that fails is tried once more; then that is its outcome', async () => {
    const { work, calls } = start()
    calls[0]?.fail()
    await settle()
    expect(calls).toHaveLength(2)
    calls[1]?.fail()
    await work.done
    expect(work.outcome()).toMatchObject({ kind: 'failed' })
  })

  test('ONE-16 that hangs has an outcome after its time as a whole, retry included, and its calls are told to stop', async () => {
    const { work, calls, clock } = start({ timeouts: { callMs: 1_000, totalMs: 1_000 } })
    await clock.pass(999)
    expect(work.outcome()).toBeNull()
    await clock.pass(1)
    expect(work.outcome()).toEqual({ kind: 'failed', problems: ['timed out as a whole'], usage: null })
    expect(calls[0]?.signal.aborted).toBe(true)
    await work.done
  })

  test('beside the conversation has its longer time, one for each attempt', async () => {
    const { work, calls, clock } = start({}, { policy: { backgroundTimeoutMs: 1_000, retries: 1 } })
    expect(calls[0]?.request.timeoutMs).toBe(1_000)
    await clock.pass(1_999)
    expect(work.outcome()).toBeNull()
    await clock.pass(1)
    expect(work.outcome()).toMatchObject({ kind: 'failed' })
  })

  test('that was given up stays so; its late bill counts all the same', async () => {
    const { work, calls, entries } = start()
    work.giveUp(CANCELLED)
    work.giveUp({ kind: 'failed', problems: ['again'], usage: null })
    expect(work.outcome()).toEqual(CANCELLED)
    calls[0]?.reply({ usage: USAGE })
    await work.ended
    expect(work.outcome()).toEqual(CANCELLED)
    expect(entries.at(-1)).toMatchObject({ type: 'bill', work: 'discarded', usage: USAGE })
  })

  test('that was given up and never billed leaves nothing behind', async () => {
    const { work, calls, entries } = start()
    const before = entries.length
    work.giveUp(CANCELLED)
    calls[0]?.fail()
    await work.ended
    expect(entries).toHaveLength(before)
  })

  test('whose late bill cannot be stored is told as a problem', async () => {
    const under = createTestPorts()
    under.talk(17)
    const plan = planShrinking(under.context(), { reason: 'threshold', tokensBefore: 8_502 }) as CompactionPlan
    const work = startSummary({ ...under.ports, append: () => Promise.reject(new Error('disk full')) }, plan)
    work.giveUp(CANCELLED)
    under.calls[0]?.reply({ usage: USAGE })
    await work.ended
    expect(under.events.at(-1)).toMatchObject({ type: 'problem', work: 'compaction' })
  })

  test('says when its model last gave a sign of life', async () => {
    const { work, calls, clock } = start({}, { policy: { maxInputChars: 'chunked' } })
    const begun = work.progress()
    expect(begun.at).toBe(work.startedAt)
    await clock.pass(400)
    calls[0]?.reply()
    await settle()
    expect(work.progress()).toEqual({ at: work.startedAt + 400 })
    await clock.pass(400)
    calls[1]?.fail()
    await settle()
    expect(work.progress(), 'a failure is none').toEqual({ at: work.startedAt + 400 })
  })
})

describe('an optional summary', () => {
  test('is told of when it is about to be asked for', async () => {
    let told = 0
    const { calls } = start({ onAffordable: () => void (told += 1) })
    expect([told, calls.length]).toEqual([0, 0])
    await settle()
    expect([told, calls.length]).toEqual([1, 1])
  })

  test('that cannot be paid for is left undone', async () => {
    let told = 0
    const { work, calls } = start({ onAffordable: () => void (told += 1) }, { maySpend: async () => false })
    await work.done
    expect(work.outcome()).toEqual(CANCELLED)
    expect([told, calls.length]).toEqual([0, 0])
  })

  test('that was given up while its price was looked up is not asked for', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const { work, calls } = start({ onAffordable: () => undefined }, { maySpend: () => promise })
    work.giveUp(CANCELLED)
    resolve(true)
    await work.ended
    expect(calls).toHaveLength(0)
  })

  test('whose price cannot be looked up has failed', async () => {
    const { work } = start(
      { onAffordable: () => undefined },
      { maySpend: () => Promise.reject(new Error('no database')) },
    )
    await work.done
    expect(work.outcome()).toMatchObject({ kind: 'failed', problems: ['Error: no database'] })
  })
})
