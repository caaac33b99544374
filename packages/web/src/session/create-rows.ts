import type { Message, Part } from '@longhaul/protocol'
import type { Approval, LiveResult, LiveStep, WaitingMessage } from './conversation.ts'
import type { AnswerPart, AnswerRow, AskedRow, CallPart, CallResult, MediaPart } from './row.ts'

/** What is known of the calls in a stretch of messages. */
export interface CallStates {
  readonly stored: ReadonlyMap<string, StoredResult>
  readonly live: Readonly<Record<string, LiveResult>>
  readonly approvals: readonly Approval[]
  /** Whether a call without a result may still get one. */
  readonly isRunning: boolean
}

type ToolResult = Extract<Part, { type: 'tool-result' }>

interface StoredResult {
  readonly messageId: string
  readonly result: ToolResult
}

type ToolCall = Pick<CallPart, 'toolCallId' | 'toolName' | 'input'>

/** By the call's id. */
export function readResults(messages: readonly Message[]): ReadonlyMap<string, StoredResult> {
  const results = new Map<string, StoredResult>()
  for (const { id: messageId, parts } of messages) {
    for (const part of parts) {
      if (part.type === 'tool-result') results.set(part.toolCallId, { messageId, result: part })
    }
  }
  return results
}

export function createAskedRow(message: Message | WaitingMessage): AskedRow {
  const { id } = message
  if (!('parts' in message))
    return { kind: 'asked', key: id, id, text: message.text, media: message.attachments, at: null }
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return { kind: 'asked', key: id, id, text, media: message.parts.filter(isMedia), at: message.at }
}

export function createStoredAnswer(key: string, message: Message, states: CallStates): AnswerRow {
  const { id, at } = message
  const parts = message.parts.flatMap((part): readonly AnswerPart[] => {
    if (part.type === 'tool-result') return []
    return [part.type === 'tool-call' ? createCall(part, states) : part]
  })
  const messageIds = parts.flatMap((part) =>
    part.type === 'tool-call' ? (states.stored.get(part.toolCallId)?.messageId ?? []) : [],
  )
  return { kind: 'answer', key, id, messageIds: [id, ...messageIds], parts, ending: readEnding(message), at }
}

export function createLiveAnswer(
  key: string,
  { id, parts }: LiveStep,
  ending: 'streaming' | 'complete',
  states: CallStates,
): AnswerRow {
  const shown = parts.map((part) => (part.type === 'tool-call' ? createCall(part, states) : part))
  return { kind: 'answer', key, id, messageIds: id === null ? [] : [id], parts: shown, ending, at: null }
}

function createCall({ toolCallId, toolName, input }: ToolCall, states: CallStates): CallPart {
  const call = { type: 'tool-call', toolCallId, toolName, input } as const
  const stored = states.stored.get(toolCallId)
  if (stored !== undefined)
    return {
      ...call,
      state: stored.result.isError === true ? 'failed' : 'done',
      display: null,
      result: readResult(stored.result),
    }
  const live = states.live[toolCallId]
  if (live !== undefined) {
    const { output, isTruncated, isError } = live
    return {
      ...call,
      state: isError ? 'failed' : 'done',
      display: null,
      result: { output, media: [], isTruncated, artifactId: null },
    }
  }
  const approval = states.approvals.find(({ callId }) => callId === toolCallId)
  if (approval !== undefined) return { ...call, state: 'asking', display: approval.display, result: null }
  return { ...call, state: states.isRunning ? 'running' : 'lost', display: null, result: null }
}

function readResult({ output, artifactId }: ToolResult): CallResult {
  const pieces = typeof output === 'string' ? [{ type: 'text' as const, text: output }] : output
  return {
    output: pieces.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('\n'),
    media: pieces.filter(isMedia),
    isTruncated: artifactId !== undefined,
    artifactId: artifactId ?? null,
  }
}

function readEnding(message: Message): AnswerRow['ending'] {
  if (message['finish'] === 'aborted') return 'aborted'
  return message['finish'] === 'error' ? 'failed' : 'complete'
}

function isMedia(part: Part): part is MediaPart {
  return part.type === 'image' || part.type === 'file'
}
