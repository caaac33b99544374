import { extractiveStrategy, longhaulStrategy } from './longhaul.ts'
import { noneStrategy } from './no-strategy.ts'
import type { CompactionStrategy } from './strategy.ts'
import { summarizeStrategy } from './summarize.ts'

const BUILT_IN: readonly CompactionStrategy[] = [noneStrategy, summarizeStrategy, longhaulStrategy, extractiveStrategy]

/** By the name that `compaction.strategy` gives. One of your own replaces a built-in one of the same name. */
export function createStrategies(own: readonly CompactionStrategy[] = []): ReadonlyMap<string, CompactionStrategy> {
  return new Map([...BUILT_IN, ...own].map((strategy) => [strategy.name, strategy]))
}
