import { expect, test } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import { callTimeoutMs, totalTimeoutMs } from './timeouts.ts'

test('ONE-16 a summary call has 15 s, in the background 30 s', () => {
  expect(callTimeoutMs(PRESETS.longhaul, 'threshold')).toBe(15_000)
  expect(callTimeoutMs(PRESETS.longhaul, 'prepared')).toBe(30_000)
})

test('ONE-16 the whole has as much for each attempt, and four times that when chunked', () => {
  expect(totalTimeoutMs(PRESETS.oneclaw)).toBe(30_000)
  expect(totalTimeoutMs(PRESETS.openclaw)).toBe(60_000)
  expect(totalTimeoutMs(PRESETS.longhaul, 'prepared')).toBe(120_000)
})
