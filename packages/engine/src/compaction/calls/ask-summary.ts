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
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string }

/** The calls of one attempt. What they cost is known whatever became of them. */
export interface SummaryCalls {
  ask(prompt: PromptText, measure: SummaryMeasure, content: PromptContent): Promise<AskedSummary>
  usage(): Usage | null
}

const MAX_PROBLEM_CHARS = 300
const MAX_READ_CHARS = 5_000

export function createSummaryCalls(context: StrategyContext): SummaryCalls {
  const { policy, limits, ask, signal, callTimeoutMs = policy.compaction.timeoutMs } = context
  const bills: (Usage | undefined)[] = []
  return {
    async ask({ system, prompt }, measure, content) {
      if (signal.aborted) return { ok: false, problem: 'cancelled' }
      const request = {
        model: policy.compaction.model,
        system,
        prompt,
        maxOutputTokens: limits.summaryOutputTokens,
        temperature: policy.compaction.temperature,
        timeoutMs: callTimeoutMs,
        content,
      }
      try {
        const reply = await ask(request, signal)
        bills.push(reply.usage)
        const checked = checkSummary(reply, measure)
        return checked.ok ? checked : { ok: false, problem: `${checked.problem}: ${checked.message}` }
      } catch (error) {
        bills.push(readFailedBill(error))
        return { ok: false, problem: describeError(error) }
      }
    },
    usage: () => sumUsage(bills),
  }
}

/** Errors of a provider may quote the request and its key, so only their beginning is kept, without what looks secret. */
export function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error)
  return shortenEnd(redactSecrets(sliceHead(message, MAX_READ_CHARS)), MAX_PROBLEM_CHARS - 1)
}
