import type { ContextItem } from '@longhaul/protocol'

/** What a single item is called. */
export const ITEM_KINDS: Readonly<Record<ContextItem['kind'], string>> = {
  system: 'System prompt',
  file: 'File',
  tools: 'Tools',
  summary: 'Summary',
  pin: 'Pin',
  recalled: 'Brought back',
  user: 'You',
  assistant: 'Model',
  'tool-call': 'Tool call',
  'tool-result': 'Tool result',
}
