import type { ContextItem } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { listRows } from './list-rows.ts'

const item = (id: string, kind: ContextItem['kind']): ContextItem => ({
  id,
  kind,
  label: id,
  tokens: 10,
  chars: 40,
  state: 'verbatim',
})
const ITEMS = [item('s', 'system'), item('u1', 'user'), item('r1', 'tool-result'), item('u2', 'assistant')]

describe('the list of what the window holds', () => {
  it('groups items by layer and keeps their order within it', () => {
    const rows = listRows(ITEMS, null)
    expect(rows.map((row) => (row.type === 'heading' ? `# ${row.layer} ${row.tokens}` : row.item.id))).toEqual([
      '# system 10',
      's',
      '# messages 20',
      'u1',
      'u2',
      '# results 10',
      'r1',
    ])
  })

  it('shows one layer alone', () => {
    const rows = listRows(ITEMS, 'messages')
    expect(rows[0]).toEqual({ type: 'heading', layer: 'messages', itemCount: 2, tokens: 20 })
    expect(rows).toHaveLength(3)
  })
})
