import type { CompactionStrategy } from './strategy.ts'

/** Never summarises: only the limit on messages keeps such a conversation short, and the seal cuts what does not fit. */
export const noneStrategy: CompactionStrategy = {
  name: 'none',
  summarize: () => Promise.resolve({ ok: false, problem: 'strategy none', usage: null }),
}
