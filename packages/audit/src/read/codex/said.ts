import type { Part, Usage } from '@longhaul/engine/advanced'

interface SaidBase {
  readonly line: number
  readonly at: number
  readonly id: string | undefined
}

/** A message of a rollout before it is numbered; later lines may add to it or take it back. */
export interface SaidMessage extends SaidBase {
  readonly type: 'message'
  readonly by: 'user' | 'assistant' | 'tool'
  readonly parts: Part[]
  readonly model?: string | undefined
  /** The ids of the items that it was made of. */
  readonly itemIds: Set<string>
  usage?: Usage | undefined
}

interface SaidCompaction extends SaidBase {
  readonly type: 'compaction'
  readonly summary: string
  readonly kept: readonly SaidMessage[]
  readonly putBack: readonly string[]
  readonly usage: Usage | undefined
  readonly tokensBefore: number | undefined
  tokensAfter: number | undefined
}

export type Said = SaidMessage | SaidCompaction

export function textOfSaid({ parts }: SaidMessage): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
