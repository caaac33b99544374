import { afterAll, describe, expect, it } from 'vitest'
import { createSteadyClock } from './steady-clock.ts'
import { talkAtAPace } from './talk-at-a-pace.ts'
import type { PacedReport } from './talk-at-a-pace.ts'

/** A second lasts a tenth of one, and so do all time-outs. */
const SPEED = 10
const MAINTENANCE_MS = 5_000
/** What takes a person a second to notice takes a loaded machine longer at this speed; a summary still takes more. */
const LATE_MS = (0.8 * MAINTENANCE_MS) / SPEED
/** What one turn may wait for maintenance. */
const MAX_WAIT_MS = 15_000 / SPEED
/** Summaries are due after this many messages at the earliest. */
const UNTIMED = 28
const PRESETS = ['longhaul', 'oneclaw', 'openclaw'] as const

const clock = createSteadyClock()
afterAll(clock.stop)

async function talk(preset: (typeof PRESETS)[number], maintenanceMs: number | 'forever'): Promise<PacedReport> {
  const report = await talkAtAPace({ preset, maintenanceMs, speed: SPEED, untimed: UNTIMED, now: clock.now })
  const fitting = report.turns.filter(({ fits }) => fits)
  expect(fitting.length).toBeGreaterThan(50)
  expect(fitting.filter(({ waited }) => waited)).toEqual([])
  // From the message to the first byte: nobody queues behind a turn that waits for a summary, either.
  expect(fitting.filter(({ lateMs }) => lateMs > LATE_MS)).toEqual([])
  const waiting = report.turns.filter(({ waited }) => waited)
  expect(waiting.filter(({ ownLateMs }) => ownLateMs > MAX_WAIT_MS + LATE_MS)).toEqual([])
  expect(report.errors).toEqual([])
  expect(report.refused).toEqual([])
  expect(report.closeMs).toBeLessThan(LATE_MS)
  return report
}

describe('60 messages, one every 1.5 s, in a window of 48,000 tokens', () => {
  it.concurrent.each(PRESETS)(
    'LH-07 LH-08 ONE-20 %s answers at once while summaries and flushes take 5 s',
    async (preset) => {
      const { compactions, trims } = await talk(preset, MAINTENANCE_MS)
      expect(compactions).toBeGreaterThan(0)
      expect(trims).toBe(0)
    },
  )

  it.concurrent.each(PRESETS)(
    'LH-07 LH-08 ONE-20 %s answers at once while summaries and flushes hang',
    async (preset) => {
      const { compactions, extractive, trims, trimsTold } = await talk(preset, 'forever')
      expect(compactions).toBe(0)
      expect(trimsTold).toBe(trims)
      if (preset === 'longhaul') expect(extractive).toBeGreaterThan(0)
      else expect(trims).toBeGreaterThan(0)
    },
  )
})
