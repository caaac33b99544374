import type { Message } from '@longhaul/engine/advanced'

/** All that the model could see at a moment: messages word for word, and texts that stand for others. */
export interface WindowView {
  readonly messages: ReadonlySet<number>
  readonly texts: readonly WindowText[]
}

/** Equal keys are equal texts. */
export interface WindowText {
  readonly key: string
  readonly message: Message
}
