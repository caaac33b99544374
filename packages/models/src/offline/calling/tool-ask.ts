/** What somebody wants done that only a tool can do. */
export type Intent =
  | 'read-file'
  | 'list-files'
  | 'search-files'
  | 'write-file'
  | 'append-file'
  | 'run-command'
  | 'fetch'
  | 'remember'
  | 'search-memory'
  | 'read-memory'
  | 'recall'
  | 'read-artifact'

/** What is known about the arguments, by what they mean; each tool has its own names for them. */
export type Slot = 'path' | 'content' | 'command' | 'url' | 'query' | 'id'
export type Slots = Readonly<Partial<Record<Slot, string>>>

export type ToolAsk =
  | { readonly kind: 'intent'; readonly intent: Intent; readonly slots: Slots }
  /** By the tool's own name, with the arguments as they were given: an object, or words for its only argument. */
  | {
      readonly kind: 'named'
      readonly toolName: string
      readonly input: Readonly<Record<string, unknown>>
      readonly words: string
    }
