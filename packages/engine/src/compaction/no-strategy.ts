import type { CompactionStrategy } from './strategy.ts'

/** Never summarises: what does not fit is left to the fallback and to the limit on messages. */
export const noneStrategy: CompactionStrategy = {
  name: 'none',
  summarise: () => Promise.resolve({ ok: false, problem: 'strategy none', usage: null }),
}
