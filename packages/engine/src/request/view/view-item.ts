import type { PrefixItem } from '../../tokens/trace-prefix.ts'
import type { Message, Role } from '../../transcript/message.ts'

export type ViewKind = 'summary' | 'pin' | 'acknowledgement' | 'recalled' | Role

/** One item of the next request: what it stands for, in which form, and how many tokens it is thought to take. */
export interface ViewItem extends PrefixItem {
  readonly kind: ViewKind
  /** The entry it comes from. */
  readonly id: string
  /** In the system prompt, as a system message, or among the messages. */
  readonly place: 'system-prompt' | 'system-message' | 'message'
  readonly message: Message
  readonly state: 'verbatim' | 'soft-trimmed' | 'cleared' | 'summarised'
}
