import type { JsonObject, ToolOrigin, ToolOutput, ToolSchema } from '@longhaul/engine/advanced'

/** Decided before anything runs, from the arguments and what they point to. */
export type Permission =
  | { readonly verdict: 'allow' }
  /** A person decides. `reason` is shown to them. */
  | { readonly verdict: 'ask'; readonly reason: string }
  /** Not even asked for. `reason` is told to the model. */
  | { readonly verdict: 'deny'; readonly reason: string }

export interface ToolContext {
  readonly sessionId: string
  readonly toolCallId: string
  /** A person, or the owner's configuration, said yes to this very call after it asked. */
  readonly isApproved?: boolean
  /** The question to which a person said yes; absent where nobody was asked, or the configuration allows it. */
  readonly approvedReason?: string
  /** Aborted when the user cancels, and when the tool's time is over. */
  readonly signal: AbortSignal
  /** Who said each of these: the user of the conversation, or something that was read in it. Doubt is not the user's. */
  readonly originsOf?: (texts: readonly string[]) => Promise<readonly WordOrigin[]>
}

export type WordOrigin = 'user' | 'elsewhere'

export interface ToolOutcome {
  readonly output: ToolOutput
  /** The model is told that it did not work, in the words of `output`. */
  readonly isError?: boolean
  /** The output is a fixed sentence that tells what was done; no word of it comes from what the tool read. */
  readonly isReceipt?: boolean
}

/** Something a model may ask for. What it returns is data: nothing in it is ever taken for an instruction. */
export interface Tool extends ToolSchema {
  /** Missing: Longhaul itself. What others bring shares a part of the window. */
  readonly origin?: ToolOrigin
  /** It only adds to memory: the one kind that the silent turn before a compaction may use. */
  readonly savesMemory?: boolean
  permit(input: JsonObject): Permission | Promise<Permission>
  /** How long these arguments let it run, where that is longer than tools are usually given. */
  timeLimitMs?(input: JsonObject): number | undefined
  /** A rejected promise is told to the model as an error. */
  run(input: JsonObject, context: ToolContext): Promise<ToolOutcome>
}
