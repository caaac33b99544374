import { expect, test } from 'vitest'
import { summaryUnavailable } from './summary-unavailable.ts'

test('OPEN-13 says it to the letter', () => {
  expect(summaryUnavailable(48)).toBe('Context contained 48 messages. Summary unavailable.')
})
