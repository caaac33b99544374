import { renderDocument } from '@longhaul/engine/advanced'
import type { CompactionEntry, Message, MessageEntry } from '@longhaul/engine/advanced'
import type { AgentTranscript } from '../find/agent-session.ts'
import type { MentionReader } from './session/mention-reader.ts'
import { createFollower } from './session/follow-session.ts'
import type { SessionFollower } from './session/follow-session.ts'
import { isSpoken } from './session/segment.ts'
import type { WindowView } from './session/window-view.ts'

/** A compaction with the window that it found. */
export interface MeasuredCompaction {
  readonly entry: CompactionEntry
  /** The window right before the compaction, with any earlier summary; `after` is the window right after it. */
  readonly before: readonly Message[]
  readonly after: readonly Message[]
  /** The last answer before it, with its bill. */
  readonly lastAnswer: MessageEntry | null
}

export interface Recorded {
  readonly follower: SessionFollower
  /** The messages that the model got, in their order. */
  readonly spoken: readonly MessageEntry[]
  readonly compactions: readonly MeasuredCompaction[]
}

/** Follows a session through the compactions that its own agent made. */
export function followRecorded(
  { entries, session: { systemPrompt } }: AgentTranscript,
  reader: MentionReader,
  signal: AbortSignal,
): Recorded {
  const follower = createFollower(reader)
  if (systemPrompt !== undefined) follower.addHead(systemPrompt)
  const spoken: MessageEntry[] = []
  const compactions: MeasuredCompaction[] = []
  let window: { readonly start: number; readonly view: WindowView } = {
    start: 0,
    view: { messages: new Set(), texts: [] },
  }
  const listWindow = (): readonly Message[] => [
    ...window.view.texts.map(({ message }) => message),
    ...[...window.view.messages].flatMap((number) => spoken[number] ?? []),
    ...spoken.slice(window.start),
  ]
  for (const entry of entries) {
    signal.throwIfAborted()
    if (isSpoken(entry)) {
      spoken.push(entry)
      follower.add(entry)
    } else if (entry.type === 'compaction') {
      const before = listWindow()
      const view = createView(entry, spoken)
      follower.compactTo(view, compactions.length)
      window = { start: spoken.length, view }
      const lastAnswer = spoken.findLast(({ usage }) => usage !== undefined && usage.input > 0) ?? null
      compactions.push({ entry, before, after: listWindow(), lastAnswer })
    } else if (entry.type === 'reset') {
      follower.reset()
      window = { start: spoken.length, view: { messages: new Set(), texts: [] } }
    }
  }
  return { follower, spoken, compactions }
}

/** The summary, and the messages that stay word for word beside it. */
function createView(entry: CompactionEntry, spoken: readonly MessageEntry[]): WindowView {
  const carried = new Set(entry.carried.map(({ seq }) => seq))
  const messages = new Set<number>()
  for (const [number, { seq }] of spoken.entries()) if (seq >= entry.fromSeq || carried.has(seq)) messages.add(number)
  const message: Message = { role: 'user', parts: [{ type: 'text', text: renderDocument(entry.document) }] }
  return { messages, texts: [{ key: entry.id, message }] }
}
