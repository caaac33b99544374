/** Something in a message that a reader could not guess: how it is called in the tables. */
export const MENTION_KINDS = ['identifier', 'path', 'number', 'code', 'quoted', 'name'] as const
export type MentionKind = (typeof MENTION_KINDS)[number]

export interface Mention {
  readonly kind: MentionKind
  /** As it stands in the text. */
  readonly text: string
}
