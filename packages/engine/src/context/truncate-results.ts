import type { SessionContext } from '../request/plan/session-context.ts'
import { truncateToolOutput } from '../truncation/truncate-tool-output.ts'
import type { TruncationPolicy } from '../truncation/truncate-tool-output.ts'
import type { Message } from '../transcript/message.ts'

/** A tool's answer is cut before it is stored. The same object comes back where nothing is cut. */
export function truncateResults<M extends Message>(message: M, rule: TruncationPolicy): M {
  if (message.role !== 'tool') return message
  let isCut = false
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool-result') return part
    const { output, truncated } = truncateToolOutput(part.output, rule)
    isCut ||= truncated
    return truncated ? { ...part, output } : part
  })
  return isCut ? { ...message, parts } : message
}

/** How the policy stores a tool's answer in a window of this size. */
export function findResultRule({ policy, limits }: Pick<SessionContext, 'policy' | 'limits'>): TruncationPolicy {
  const { keep, maxChars } = policy.toolResults
  return { keep, maxChars: limits?.toolResultMaxChars ?? maxChars }
}
