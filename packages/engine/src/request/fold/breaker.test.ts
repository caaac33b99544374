import { expect, test } from 'vitest'
import { isBreakerOpen } from './breaker.ts'
import { createState } from './fold.ts'

const HOUR_MS = 3_600_000

test.each([
  [0, null, 0, false],
  [2, 1_000, 1_000, false],
  [3, 1_000, 1_000, true],
  [3, 1_000, 1_000 + HOUR_MS - 1, true],
  [3, 1_000, 1_000 + HOUR_MS, false],
  [7, 1_000, 1_000 + HOUR_MS, false],
  // A clock that was set back is no reason to try.
  [3, 1_000, 0, true],
  [3, null, 9 * HOUR_MS, true],
])('%i failures, the last at %s: at %i the breaker is open: %s', (failures, failedAt, now, isOpen) => {
  const head = { ...createState().head, compactionFailures: failures, compactionFailedAt: failedAt }
  expect(isBreakerOpen(head, now)).toBe(isOpen)
})
