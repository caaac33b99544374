import { shortenEnd } from '../../messages/shorten.ts'
import { sliceHead } from '../../messages/slice-text.ts'
import { checkSummary } from '../../summary/check-summary.ts'
import type { SummaryMeasure } from '../../summary/check-summary.ts'
import { redactSecrets } from '../../summary/redact-secrets.ts'
import type { Usage } from '../../transcript/message.ts'
import type { PromptContent } from '../prompt-content.ts'
import type { PromptText } from '../prompts/closing-lines.ts'
import type { StrategyContext } from '../strategy.ts'
import { readFailedBill } from './read-failed-bill.ts'
import { sumUsage } from './sum-usage.ts'

export type AskedSummary =
  /** With a `weakness` it is worth another try, and is used if that gives nothing better. */
  | { readonly ok: true; readonly text: string; readonly weakness?: string }
  | { readonly ok: false; readonly problem: string }

type AskSummary = (prompt: PromptText, measure: SummaryMeasure, content: PromptContent) => Promise<AskedSummary>

/** The calls of one attempt. What they cost is known whatever became of them. */
export interface SummaryCalls {
  readonly ask: AskSummary
  /**
   * For one call of several: it is tried again here, as often as the policy says, so that the others need not be. A model
   * that has not replied to any call by then is asked for no further part.
   */
  readonly askPart: AskSummary
  readonly usage: () => Usage | null
}

const MAX_PROBLEM_CHARS = 300
const MAX_READ_CHARS = 5_000

export function createSummaryCalls(context: StrategyContext): SummaryCalls {
  const { policy, limits, ask, signal, callTimeoutMs = policy.compaction.timeoutMs } = context
  const bills: (Usage | undefined)[] = []
  // More than a trim keeps, but less than a summary by rules, which no remark of a model can talk its way into.
  const isWeakWelcome = policy.compaction.fallback !== 'extractive'
  let hasReply = false
  let outage: string | null = null
  const askOnce: AskSummary = async ({ system, prompt }, measure, content) => {
    if (signal.aborted) return { ok: false, problem: 'cancelled' }
    const request = {
      model: policy.compaction.model,
      system,
      prompt,
      maxOutputTokens: limits.summaryOutputTokens,
      temperature: policy.compaction.temperature,
      stream: policy.compaction.stream,
      timeoutMs: callTimeoutMs,
      content,
    }
    try {
      const reply = await ask(request, signal)
      hasReply = true
      bills.push(reply.usage)
      const checked = checkSummary(reply, measure)
      if (checked.ok) return checked
      const problem = `${checked.problem}: ${checked.message}`
      if (checked.usable === undefined || !isWeakWelcome) return { ok: false, problem }
      return { ok: true, text: checked.usable, weakness: problem }
    } catch (error) {
      bills.push(readFailedBill(error))
      return { ok: false, problem: describeError(error) }
    }
  }
  return {
    ask: askOnce,
    askPart: async (...call) => {
      if (outage !== null) return { ok: false, problem: outage }
      let best = await askOnce(...call)
      for (let retry = 0; retry < policy.compaction.retries && !isGood(best); retry += 1) {
        const next = await askOnce(...call)
        if (isGood(next) || !best.ok) best = next
      }
      if (!hasReply && !best.ok) outage = best.problem
      return best
    },
    usage: () => sumUsage(bills),
  }
}

export function isGood(asked: AskedSummary): boolean {
  return asked.ok && asked.weakness === undefined
}

/** Errors of a provider may quote the request and its key, so only their beginning is kept, without what looks secret. */
export function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error)
  return shortenEnd(redactSecrets(sliceHead(message, MAX_READ_CHARS)), MAX_PROBLEM_CHARS - 1)
}
