import { expect, test } from 'vitest'
import { createStrategies } from './strategies.ts'
import type { CompactionStrategy } from './strategy.ts'
import { summarizeStrategy } from './summarize.ts'

const own: CompactionStrategy = { name: 'own', summarize: () => Promise.reject(new Error('not written yet')) }

test('MICRO-08 none and summarize ship, and a user adds one of their own', () => {
  expect([...createStrategies().keys()]).toEqual(expect.arrayContaining(['none', 'summarize']))
  expect(createStrategies([own]).get('own')).toBe(own)
  expect(createStrategies([own]).get('summarize')).toBe(summarizeStrategy)
})

test('MICRO-08 one’s own strategy may replace a built-in one', () => {
  const replacement = { ...own, name: 'summarize' }
  expect(createStrategies([replacement]).get('summarize')).toBe(replacement)
})
