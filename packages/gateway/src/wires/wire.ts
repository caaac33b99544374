import type { Part, Role, SummaryRequest, ToolSchema, Usage } from '@longhaul/engine'
import type { Span } from '../json/scan-json.ts'

export type WireName = 'anthropic' | 'openai-chat' | 'openai-responses'

/** A message as a wire has it: what Longhaul sends that the client did not. */
export interface PlainMessage {
  readonly role: Role | 'system'
  readonly parts: readonly Part[]
}

/**
 * A run of bytes inside one element of the list that belongs to one message of the conversation. Mostly it is the whole
 * element. An Anthropic element with results and a text holds two; a step of a Responses list has a segment in each item.
 */
export interface Segment {
  /** null: it is not part of the conversation and is sent as it is. */
  readonly role: Role | 'system' | null
  readonly parts: readonly Part[]
  /** Its place inside the element; null: the whole element. */
  readonly span: Span | null
  /**
   * The client put it there for the model, such as instructions and the list of tools, beside what a person said. It stays
   * where it is, is measured as system text, and says nothing about which conversation it belongs to.
   */
  readonly isStanding?: boolean
  /** Whether it continues a message of the same role that stands right before it. */
  readonly joins: boolean
}

export interface ReadElement {
  readonly segments: readonly Segment[]
  /** The list inside the element that the segments stand in, where there are several. */
  readonly content: Span | null
  /** The element offers tools to the model. */
  readonly holdsTools?: boolean
}

/** The names of tools by the id of their calls: results name the call alone. */
export type ToolNames = Map<string, string>

/** Facts about a request that stand beside its list. */
export interface Surroundings {
  readonly system: string | null
  readonly tools: readonly ToolSchema[]
}

/** The members of a request's body, by key, as raw JSON. */
export type RawMember = (key: string) => string | undefined

/** One vendor's format. Everything that knows it stands in one folder. */
export interface Wire {
  readonly name: WireName
  readonly listKey: 'messages' | 'input'
  /** Reads one element of the list. `isFirst`: nothing stands before it. */
  readElement(raw: string, names: ToolNames, isFirst: boolean): ReadElement
  /** Writes a segment whose parts were changed; null among them: the part is left out. null: nothing of it is left. */
  editSegment(raw: string, segment: Segment, after: readonly (Part | null)[]): string | null
  /** Writes a message that the client does not have, as elements of the list. */
  writeMessage(message: PlainMessage): readonly string[]
  /** The system text and the tools that stand beside the list. */
  readSurroundings(member: RawMember): Surroundings
  /** The body of a call for a summary, made with what the client sent beside its list. */
  writeSummaryCall(request: SummaryRequest, member: RawMember): string
  /** The text of an answer that was not streamed. */
  readAnswerText(answer: unknown): string
  /** A bill in the vendor's words; null: it is none. `earlier` is what the same answer said before. */
  readUsage(usage: Readonly<Record<string, unknown>>, earlier: Usage | null): Usage | null
}
