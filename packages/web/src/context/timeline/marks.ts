import type { Mark } from '@longhaul/protocol'

export type MarkKind = Mark['kind'] | 'overflow'

export interface MarkInfo {
  readonly kind: MarkKind
  readonly name: string
  /** Told apart by shape, not by colour alone. */
  readonly symbol: string
  /** A variable of the style sheet. */
  readonly colour: string
  readonly explanation: string
}

export const MARKS: readonly MarkInfo[] = [
  {
    kind: 'compaction',
    name: 'Compaction',
    symbol: '◆',
    colour: '--kind-summary',
    explanation: 'older messages became a summary; the arrow shows how far that brought the context down',
  },
  { kind: 'undo', name: 'Undo', symbol: '◇', colour: '--kind-summary', explanation: 'a compaction was taken back' },
  {
    kind: 'flush',
    name: 'Memory flush',
    symbol: '●',
    colour: '--kind-pin',
    explanation: 'what must last was written to memory files',
  },
  {
    kind: 'prune',
    name: 'Pruning',
    symbol: '▼',
    colour: '--kind-tool-result',
    explanation: 'old tool results were shortened',
  },
  {
    kind: 'trim',
    name: 'Trim',
    symbol: '✂',
    colour: '--warning',
    explanation: 'the oldest messages were left out, because no summary could be made',
  },
  {
    kind: 'overflow',
    name: 'Overflow',
    symbol: '▲',
    colour: '--danger',
    explanation: 'the provider refused a request as too long; it was made smaller and sent again',
  },
  {
    kind: 'failure',
    name: 'Failed maintenance',
    symbol: '✕',
    colour: '--danger',
    explanation: 'a summary or a memory flush did not succeed',
  },
  {
    kind: 'model-change',
    name: 'Other model',
    symbol: '■',
    colour: '--kind-system',
    explanation: 'the session went on with another model',
  },
  { kind: 'reset', name: 'Reset', symbol: '○', colour: '--kind-system', explanation: 'the context was emptied' },
]
