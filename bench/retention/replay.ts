import type { View } from '@longhaul/engine/advanced'
import type { Conversation } from './conversation.ts'
import { driveSession } from './driven-session.ts'
import type { SessionCounts, SessionOptions } from './driven-session.ts'
import { PIN_TEXTS } from './pins.ts'

export interface ReplayOptions extends SessionOptions {
  /** Before these messages the user compacts by hand. */
  readonly compactAt: ReadonlySet<number>
}

/** Looks on while a conversation is replayed. */
export interface Onlooker {
  /** A message of user or model is about to come; `view` is what the model sees then. */
  beforeMessage(index: number, view: View): void
  /** Something was pruned, summarised or left out. */
  afterMaintenance(after: Maintained): void
}

interface Maintained {
  readonly view: View
  /** How many messages there have been. */
  readonly messages: number
  /** The item that sends a message; absent: it is not sent any more. */
  readonly sent: ReadonlyMap<number, View['items'][number]>
  readonly compactions: number
}

export interface Replayed extends SessionCounts {
  /** Mean size of a summary, right after it was written. */
  readonly summaryTokens: number
}

const START = 1_700_000_000_000

/** A conversation as an agent with this policy would have carried it: what was said is given, what was sent is not. */
export async function replay(
  { messages, system }: Conversation,
  options: ReplayOptions,
  onlooker: Onlooker,
): Promise<Replayed> {
  const { policy, compactAt } = options
  const session = driveSession(system, options)
  const indexById = new Map<string, number>()
  const summaries: number[] = []
  const watch = async (work: () => Promise<void>): Promise<void> => {
    const { head, document } = session.state()
    await work()
    if (session.state().head.lastSeq === head.lastSeq) return
    const view = session.view()
    if (session.state().document !== document) summaries.push(tokensOfSummary(view))
    const sent = new Map(
      view.items.flatMap((item) => {
        const index = indexById.get(item.id)
        return index === undefined ? [] : [[index, item] as const]
      }),
    )
    onlooker.afterMaintenance({ view, messages: indexById.size, sent, compactions: session.counts.compactions })
  }

  let now = START
  for (const text of PIN_TEXTS) session.append({ type: 'pin', text }, now)
  for (const [index, message] of messages.entries()) {
    const { role } = message
    const next = messages[index + 1]?.role
    const parts = message.partsFor(policy.toolResults.keep, session.limits.toolResultMaxChars)
    now = Math.max(now + 1_000, message.at)
    if (compactAt.has(index)) await watch(() => session.compact())
    if (role !== 'tool') onlooker.beforeMessage(index, session.view())
    const id =
      role === 'assistant'
        ? session.appendAnswer({ role, parts }, now)
        : session.append({ type: 'message', role, parts }, now)
    indexById.set(id, index)
    if (role === 'assistant' && next !== 'tool') await watch(() => session.maintain('after-response'))
    if (role === 'user' && next === 'assistant') await watch(() => session.maintain('before-turn'))
    if (role === 'tool' && next === 'assistant') await watch(() => session.maintain('before-step'))
  }
  const summaryTokens = summaries.reduce((sum, tokens) => sum + tokens, 0) / Math.max(1, summaries.length)
  return { ...session.counts, summaryTokens }
}

function tokensOfSummary({ items }: View): number {
  return items.reduce((sum, { kind, tokens }) => sum + (kind === 'summary' ? tokens : 0), 0)
}
