import { describe, expect, test } from 'vitest'
import type { PlannedStep } from '../request/plan/planned-step.ts'
import { settle } from '../testing/manual-clock.ts'
import { createTestPorts } from '../testing/start-driver.ts'
import type { PortsOptions } from '../testing/start-driver.ts'
import { createFlushing } from './flushing.ts'
import { createStop } from './runtime.ts'

const MEMORY = { enabled: true, softThresholdTokens: 500, silentToken: 'NO_REPLY', target: 'files' } as const
const memoryFlush = { ...MEMORY, systemPrompt: null, prompt: null, timeoutMs: 1_000 }

function start(options: PortsOptions = {}) {
  const under = createTestPorts({ hasMemory: true, policy: { memoryFlush }, ...options })
  const stop = createStop()
  const waiting = { patience: { leftMs: 1_000 }, signal: stop.signal }
  return { ...under, flushing: createFlushing(under.ports), stop, waiting }
}

const step = (timing: 'beside' | 'wait'): Extract<PlannedStep, { action: 'flush' }> => ({
  action: 'flush',
  reason: 'due',
  timing,
})

describe('a flush', () => {
  test('LH-07 beside the conversation is not waited for, and runs once at a time', async () => {
    const { flushing, flushes, events, waiting } = start()
    await flushing.run(step('beside'), waiting)
    expect(flushes).toHaveLength(1)
    expect(flushing.canStart()).toBe(false)
    expect(flushing.current()).not.toBeNull()
    expect(events).toEqual([{ type: 'flush-started', reason: 'due', isWaited: false }])
    flushes[0]?.end()
    await settle()
    expect(flushing.current()).toBeNull()
    expect(flushing.canStart()).toBe(true)
  })

  test('LH-07 ONE-20 that is waited for and hangs takes half of the patience; the rest is for the compaction', async () => {
    const { flushing, clock, waiting } = start()
    let isOver = false
    void flushing.run(step('wait'), waiting).then(() => void (isOver = true))
    await clock.pass(499)
    expect(isOver).toBe(false)
    await clock.pass(1)
    expect(isOver).toBe(true)
    expect(waiting.patience.leftMs).toBe(500)
    expect(flushing.current(), 'it goes on').not.toBeNull()
  })

  test('LH-07 that fails is told as a problem, and nobody else hears of it', async () => {
    const { flushing, flushes, events, waiting } = start()
    const waited = flushing.run(step('wait'), waiting)
    await settle()
    flushes[0]?.fail()
    await waited
    expect(events.at(-1)).toMatchObject({ type: 'problem', work: 'flush' })
    expect(flushing.canStart()).toBe(true)
  })

  test('that is waited for is noted, so that a crash leaves a trace; one beside is not', async () => {
    const { ports, flushes, waiting } = start()
    const noted: unknown[] = []
    const flushing = createFlushing({ ...ports, noteWork: async (work) => void noted.push(work) })
    await flushing.run(step('beside'), waiting)
    expect(noted).toEqual([])
    flushes[0]?.end()
    await settle()
    const waited = flushing.run(step('wait'), waiting)
    await settle()
    expect(noted).toEqual([{ work: 'flush' }])
    flushes[1]?.end()
    await waited
    expect(noted).toEqual([{ work: 'flush' }, null])
  })

  test('ends when it is told to stop, and none begins after the last call', async () => {
    const { flushing, flushes, waiting } = start()
    await flushing.run(step('beside'), waiting)
    flushing.cancel()
    expect(flushes[0]?.signal.aborted).toBe(true)
    flushes[0]?.end()
    await settle()
    flushing.close()
    expect(flushing.canStart()).toBe(false)
    await flushing.run(step('beside'), waiting)
    expect(flushes).toHaveLength(1)
  })
})

describe('before something is lost', () => {
  test('OPEN-08 memory is saved whatever the size, once a cycle', async () => {
    const { flushing, flushes, talk, waiting } = start()
    talk(1)
    const waited = flushing.beforeLoss(waiting)
    await settle()
    flushes[0]?.end()
    await waited
    await flushing.beforeLoss(waiting)
    expect(flushes).toHaveLength(1)
  })

  test('the flush under way is waited for, and not made twice', async () => {
    const { flushing, flushes, clock, talk, waiting } = start()
    talk(1)
    await flushing.run(step('beside'), waiting)
    let isOver = false
    void flushing.beforeLoss(waiting).then(() => void (isOver = true))
    await clock.pass(100)
    expect(isOver).toBe(false)
    flushes[0]?.end()
    await settle()
    expect(isOver).toBe(true)
    expect(flushes).toHaveLength(1)
  })

  test.each<[string, PortsOptions, turns: number]>([
    ['there is nothing to save', {}, 0],
    ['there is no memory', { hasMemory: false }, 1],
    ['the policy saves none', { policy: { memoryFlush: { ...memoryFlush, enabled: false } } }, 1],
  ])('nothing is asked where %s', async (_name, options, turns) => {
    const { flushing, flushes, talk, waiting } = start(options)
    talk(turns)
    await flushing.beforeLoss(waiting)
    expect(flushes).toHaveLength(0)
  })
})
