import {
  createBringBack,
  estimateMessage,
  findResultRule,
  measureEnvironment,
  measureView,
} from '@longhaul/engine/advanced'
import type { Anchor, Estimator, MessageEntry, View } from '@longhaul/engine/advanced'
import { driveSession } from '@longhaul/engine/testing'
import type { DriveOptions, DrivenSession } from '@longhaul/engine/testing'
import type { Conversation } from './conversation.ts'

/** Made for the bench and pinned before the first message: nothing in a real conversation says the same. */
export const PIN_TEXTS: readonly string[] = [
  'Releases go out on the second Tuesday; nothing is merged on the Monday before.',
  'The on-call number is 555-0142-77, and it is for outages only.',
  'Write British English in everything that customers read.',
]

export interface ReplayOptions extends DriveOptions {
  /** Before these messages the user compacts by hand. */
  readonly compactAt: ReadonlySet<number>
  /** Pinned before the first message. */
  readonly pins: readonly string[]
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
  /** The messages that are still sent, in whatever form. */
  readonly sent: ReadonlySet<number>
  readonly compactions: number
}

export interface Replayed {
  readonly compactions: number
  readonly trims: number
  readonly failures: number
  /** Mean size of a summary, right after it was written. */
  readonly summaryTokens: number
}

const BILLED_BY: Estimator = 'classes'
const ENTRIES_AT_A_TIME = 200

/** A conversation as an agent with this policy would have carried it: what was said is given, what was sent is not. */
export async function replay(
  { messages, system }: Conversation,
  { compactAt, pins, ...options }: ReplayOptions,
  onlooker: Onlooker,
): Promise<Replayed> {
  const session = driveSession({ ...options, environment: { system, files: [], tools: [] } })
  const rule = findResultRule(session.context())
  const count = (type: string): number => session.entries.filter((entry) => entry.type === type).length
  const indexById = new Map<string, number>()
  const summaries: number[] = []
  const watch = async (work: () => Promise<unknown>): Promise<void> => {
    const { head, document } = session.state()
    await work()
    if (session.state().head.lastSeq === head.lastSeq) return
    const view = session.view()
    if (session.state().document !== document) summaries.push(tokensOfSummary(view))
    const sent = new Set(view.items.flatMap(({ id }) => indexById.get(id) ?? []))
    onlooker.afterMaintenance({ view, messages: indexById.size, sent, compactions: count('compaction') })
  }

  const bringBack = createBringBack(
    {
      readFrom: async (seq) => session.entries.slice(seq - 1, seq - 1 + ENTRIES_AT_A_TIME),
      readAt: async (seqs) => seqs.flatMap((seq) => session.entries[seq - 1] ?? []),
    },
    async () => undefined,
  )
  const viewOfRequest = async (): Promise<View> => {
    const view = session.view()
    const context = session.context()
    const { policy } = context
    if (policy.recall.maxRatio === null || context.state.head.base.kind === 'start') return view
    const { lesson } = measureView(view, { ...context, estimator: policy.estimator })
    return (await bringBack({ sealed: session.seal(), view, lesson }, context)).view
  }

  for (const text of pins) session.append({ type: 'pin', text })
  for (const [index, message] of messages.entries()) {
    const { role } = message
    const next = messages[index + 1]?.role
    const parts = message.storedParts(rule)
    session.wait(Math.max(1_000, message.at - session.now()))
    if (compactAt.has(index)) await watch(session.compact)
    if (role === 'assistant') onlooker.beforeMessage(index, await viewOfRequest())
    else if (role === 'user') onlooker.beforeMessage(index, session.view())
    const bill = role === 'assistant' ? billAnswer(session, parts) : {}
    session.append({ type: 'message', role, parts, ...bill })
    indexById.set(session.entries.at(-1)?.id ?? '', index)
    if (role === 'assistant' && next !== 'tool') await watch(() => session.maintain('after-response'))
    if (role === 'user' && next === 'assistant') await watch(() => session.maintain('before-turn'))
    if (role === 'tool' && next === 'assistant') await watch(() => session.maintain('before-step'))
  }
  return {
    compactions: count('compaction'),
    trims: count('trim'),
    failures: count('maintenance-failed'),
    summaryTokens: summaries.reduce((sum, tokens) => sum + tokens, 0) / Math.max(1, summaries.length),
  }
}

/** Every answer is billed by the same estimate, whatever the policy’s own, so that a window is as large for all. */
function billAnswer(session: DrivenSession, parts: MessageEntry['parts']): Pick<MessageEntry, 'usage' | 'anchor'> {
  const context = session.context()
  const view = session.view()
  const { trace } = measureView(view, { ...context, estimator: context.policy.estimator })
  const around = measureEnvironment(context.environment, BILLED_BY).tokens
  const input = view.items.reduce((sum, { message }) => sum + estimateMessage(message, BILLED_BY), around)
  const output = estimateMessage({ role: 'assistant', parts }, BILLED_BY)
  const anchor: Anchor = { model: '', itemCount: view.items.length, chainHash: trace.chainHash }
  return { usage: { input, output }, anchor }
}

function tokensOfSummary({ items }: View): number {
  return items.reduce((sum, { kind, tokens }) => sum + (kind === 'summary' ? tokens : 0), 0)
}
