import type { GatewayReport } from '@longhaul/runtime'
import { formatCost, formatCount, formatNumber } from '../terminal/format.ts'

/** The lines that end a run: what the gateway did for the program, and what its summaries cost. */
export function describeReport(report: GatewayReport): readonly string[] {
  const { requests, edited, tokensNotSent, refusalsAvoided, refusalsUpstream, summaries } = report
  if (requests === 0) return ['Longhaul: no request came through the gateway.']
  const came = `Longhaul: ${formatCount(requests, 'request')}`
  if (edited === 0 && summaries.calls === 0) return [`${came}, all passed on as they came.`]
  const first = [
    `${came}, ${formatNumber(edited)} made smaller`,
    `about ${formatCount(tokensNotSent, 'token')} not sent`,
    `${formatCount(refusalsAvoided, 'refusal')} avoided`,
  ].join(', ')
  const refused =
    refusalsUpstream === 0 ? [] : [`${formatCount(refusalsUpstream, 'time')} the provider refused a request at first.`]
  return [`${first}.`, ...refused, describeSummaries(summaries)].map((line, index) =>
    index === 0 ? line : `  ${line}`,
  )
}

function describeSummaries({ calls, input, output, usd }: GatewayReport['summaries']): string {
  if (calls === 0) return 'No model was asked for a summary.'
  const sizes = `${formatNumber(input)} tokens in, ${formatNumber(output)} out`
  return `${formatCount(calls, 'summary', 'summaries')} by the model: ${sizes}, ${formatCost(usd)}.`
}

/** The part of a running gateway's work that came after a moment. */
export function subtractReport(now: GatewayReport, before: GatewayReport): GatewayReport {
  return {
    requests: now.requests - before.requests,
    edited: now.edited - before.edited,
    tokensNotSent: now.tokensNotSent - before.tokensNotSent,
    refusalsAvoided: now.refusalsAvoided - before.refusalsAvoided,
    refusalsUpstream: now.refusalsUpstream - before.refusalsUpstream,
    summaries: {
      calls: now.summaries.calls - before.summaries.calls,
      input: now.summaries.input - before.summaries.input,
      output: now.summaries.output - before.summaries.output,
      usd:
        now.summaries.usd === null || before.summaries.usd === null ? null : now.summaries.usd - before.summaries.usd,
    },
  }
}
