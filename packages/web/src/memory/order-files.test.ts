import { describe, expect, it } from 'vitest'
import { orderFiles } from './order-files.ts'

describe('the memory files', () => {
  it('OPEN-09 stand in the order in which people look: for good, then by day, newest first', () => {
    const names = ['memory/2026-11-14.md', 'notes.md', 'MEMORY.md', 'memory/2026-11-15.md']
    expect(orderFiles(names.map((name) => ({ name, updatedAt: 0 }))).map(({ title }) => title)).toEqual([
      'Long-term memory',
      '15 November 2026',
      '14 November 2026',
      'notes.md',
    ])
  })
})
