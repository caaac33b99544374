import type { SessionContext } from '../request/plan/session-context.ts'
import { truncateToolOutput } from '../truncation/truncate-tool-output.ts'
import type { Message } from '../transcript/message.ts'

/** A tool's answer is cut before it is stored, as the policy says. The same object comes back where nothing is cut. */
export function truncateResults(
  message: Message,
  { policy, limits }: Pick<SessionContext, 'policy' | 'limits'>,
): Message {
  if (message.role !== 'tool') return message
  const maxChars = limits?.toolResultMaxChars ?? policy.toolResults.maxChars
  let isCut = false
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool-result') return part
    const { output, truncated } = truncateToolOutput(part.output, { ...policy.toolResults, maxChars })
    isCut ||= truncated
    return truncated ? { ...part, output } : part
  })
  return isCut ? { ...message, parts } : message
}
