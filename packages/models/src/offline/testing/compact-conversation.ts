import { truncateToolOutput } from '@longhaul/engine/advanced'
import type { CompactionOutcome, Message, SealedRequest } from '@longhaul/engine/advanced'
import { driveSession } from '@longhaul/engine/testing'
import type { DriveOptions } from '@longhaul/engine/testing'

export interface Compacted {
  readonly outcomes: readonly CompactionOutcome[]
  /** The next request, as it would be sent. */
  readonly request: SealedRequest
}

/** Lives through a conversation with one policy, compacting whenever the engine says so, and once more at the end. */
export async function compactConversation(messages: readonly Message[], options: DriveOptions): Promise<Compacted> {
  const session = driveSession(options)
  const { toolResults } = options.policy
  for (const [index, { role, parts }] of messages.entries()) {
    const cut = parts.map((part) =>
      part.type === 'tool-result' ? { ...part, output: truncateToolOutput(part.output, toolResults).output } : part,
    )
    session.append({ type: 'message', role, parts: cut })
    if (role === 'assistant' && messages[index + 1]?.role !== 'tool') await session.maintain('after-response')
  }
  await session.compact()
  const outcomes = session.events.flatMap((event) => (event.type === 'summary-made' ? [event.outcome] : []))
  return { outcomes, request: session.seal() }
}
