import {
  UNCALIBRATED,
  createMoveMeter,
  createPruneEntry,
  createState,
  createStrategies,
  createTrimEntry,
  createView,
  foldEntry,
  planNext,
  planShrinking,
  resolveLimits,
  runCompaction,
  sealRequest,
  truncateToolOutput,
} from '@longhaul/engine/advanced'
import type {
  AskModel,
  CompactionOutcome,
  CompactionPlan,
  ContextPolicy,
  Message,
  NewEntry,
  SealedRequest,
  SessionContext,
} from '@longhaul/engine/advanced'

export interface Compacting {
  readonly policy: ContextPolicy
  readonly windowTokens: number
  readonly ask: AskModel
}

export interface Compacted {
  readonly outcomes: readonly CompactionOutcome[]
  /** What the next request would hold. */
  readonly request: SealedRequest
}

type Unwritten<T = NewEntry> = T extends NewEntry ? Omit<T, 'id' | 'at'> : never

const MAX_STEPS = 20

/** Lives through a conversation with one policy, compacting whenever the engine says so, and once more at the end. */
export async function compactConversation(
  messages: readonly Message[],
  { policy, windowTokens, ask }: Compacting,
): Promise<Compacted> {
  const limits = resolveLimits(policy, { windowTokens })
  if (limits === null) throw new Error('the window is given, so there are limits')
  const environment = { system: 'You help.', files: [], tools: [] }
  const outcomes: CompactionOutcome[] = []
  let state = createState()
  const context = (): SessionContext => ({ state, policy, limits, environment, model: null, calibration: UNCALIBRATED })
  const append = (entry: Unwritten): void => {
    const seq = state.head.lastSeq + 1
    state = foldEntry(state, { ...entry, seq, id: `e${seq}`, at: seq })
  }
  const compact = async (plan: CompactionPlan): Promise<boolean> => {
    const outcome = await runCompaction({
      plan,
      policy,
      limits,
      ask,
      strategies: createStrategies(),
      signal: { aborted: false },
      measureAfter: createMoveMeter(context()),
    })
    outcomes.push(outcome)
    if (outcome.kind === 'compacted') append(outcome.entry)
    return outcome.kind === 'compacted'
  }
  const maintain = async (): Promise<void> => {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const plan = planNext({ ...context(), checkPoint: 'after-response', now: 0 })
      if (plan.action === 'prune') append(createPruneEntry(plan.prune))
      else if (plan.action === 'flush') append({ type: 'flush', outcome: 'silent' })
      else if (plan.action === 'trim') append(createTrimEntry(plan.trim, context()))
      else if (plan.action !== 'compact' || !(await compact(plan.compaction))) return
    }
  }
  for (const [index, { role, parts }] of messages.entries()) {
    const cut = parts.map((part) =>
      part.type === 'tool-result'
        ? { ...part, output: truncateToolOutput(part.output, policy.toolResults).output }
        : part,
    )
    append({ type: 'message', role, parts: cut })
    if (role === 'assistant' && messages[index + 1]?.role !== 'tool') await maintain()
  }
  const { numbers } = planNext({ ...context(), checkPoint: 'after-response', now: 0 })
  const last = planShrinking(context(), { reason: 'manual', tokensBefore: numbers.tokens ?? 0 })
  if (last.action === 'compact') await compact(last)
  const view = createView(state, policy)
  const request = sealRequest({
    view,
    context: { ...context(), estimator: policy.estimator },
    maxTokens: null,
    maxBytes: null,
  })
  return { outcomes, request }
}
