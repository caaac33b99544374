import type { AgentInputItem } from '@openai/agents'

/** Items that make one message: an answer with its thoughts and calls, or the results of one answer's calls. */
export interface ItemGroup {
  /** null: an item that stays where it is, such as a list compacted by the provider. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool' | null
  readonly items: readonly AgentInputItem[]
}

const RESULT = /_(result|output)$/
const ASIDES: readonly unknown[] = ['compaction', 'tool_search_call', 'tool_search_output']

/**
 * Groups a list of items. A thought is never parted from its calls: a provider refuses a call whose thought is missing.
 */
export function groupItems(list: readonly AgentInputItem[]): readonly ItemGroup[] {
  const groups: ItemGroup[] = []
  let items: AgentInputItem[] = []
  let role: ItemGroup['role'] = null
  const close = (): void => {
    if (items.length > 0) groups.push({ role, items })
  }
  for (const item of list) {
    const next = roleOf(item)
    if (next !== role || (role !== 'assistant' && role !== 'tool')) {
      close()
      items = []
      role = next
    }
    items.push(item)
  }
  close()
  return groups
}

function roleOf(item: AgentInputItem): ItemGroup['role'] {
  if ('role' in item) return item.role
  if (ASIDES.includes(item.type)) return null
  return RESULT.test(item.type ?? '') ? 'tool' : 'assistant'
}

/** Whether the list goes on from items that only the provider has: it answers calls that are not in it. */
export function isPartial(list: readonly AgentInputItem[]): boolean {
  const called = new Set<unknown>()
  return list.some((item) => {
    const { callId } = item as { readonly callId?: unknown }
    if (callId === undefined || callId === null || roleOf(item) === null) return false
    if (roleOf(item) === 'tool') return !called.has(callId)
    called.add(callId)
    return false
  })
}
