import { describeSummarised, renderDocument } from '@longhaul/engine/advanced'
import type { AskModel, CompactionPlan, CompactionReason, PromptContent } from '@longhaul/engine/advanced'
import type { ActiveSession } from '../session/active-session.ts'
import { explainAsk } from './explain-ask.ts'

/** The model that writes a summary, with a manifest for each of its calls. */
export function chooseSummarizer(
  session: ActiveSession,
  plan: CompactionPlan,
): { readonly modelId: string; readonly ask: AskModel } {
  const { modelId, ask } = chooseModel(session, plan.reason)
  const about = { purpose: 'summary', model: modelId, content: contentOf(plan) } as const
  return { modelId, ask: explainAsk(session, about, (request, signal) => ask({ ...request, model: modelId }, signal)) }
}

/** After a switch to a smaller window, the model that can still read everything does the summarizing. */
function chooseModel(session: ActiveSession, reason: CompactionReason): { modelId: string; ask: AskModel } {
  const { models } = session.agent
  const current = session.model()
  const before = session.log.state().head.lastCall?.model ?? null
  const wanted = session.policy().compaction.model
  const named = wanted === 'session' || !models.describe(wanted).available ? null : wanted
  const larger = reason === 'model-switch' && before !== null && models.describe(before).available ? before : current
  if (wanted !== 'session' && named === null) {
    session.agent.log({
      level: 'info',
      event: 'summary-model',
      message: `${wanted} is not configured; ${larger} writes the summary.`,
    })
  }
  return { modelId: named ?? larger, ask: models.asker(larger) }
}

/** A strategy of one's own need not say what its calls hold: only that they are about all of it is certain. */
function contentOf({ previousDocument, span }: CompactionPlan): PromptContent {
  return {
    earlier: previousDocument === null ? null : renderDocument(previousDocument),
    items: describeSummarised(span),
  }
}
