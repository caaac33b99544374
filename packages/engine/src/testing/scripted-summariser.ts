import type { AskModel, SummaryReply, SummaryRequest } from '../compaction/strategy.ts'

/** One answer of a scripted model: text that ends as it should, a whole reply, or an error to fail with. */
export type ScriptedAnswer = string | SummaryReply | Error

export interface ScriptedSummariser {
  readonly ask: AskModel
  readonly requests: readonly SummaryRequest[]
}

/** Answers in the order of the script, or by a function of the request. A script that is over is an error. */
export function scriptSummaries(
  script: readonly ScriptedAnswer[] | ((request: SummaryRequest) => ScriptedAnswer),
): ScriptedSummariser {
  const requests: SummaryRequest[] = []
  const ask: AskModel = async (request) => {
    const answer = typeof script === 'function' ? script(request) : script[requests.length]
    requests.push(request)
    await Promise.resolve()
    if (answer === undefined) throw new Error('the script is over')
    if (answer instanceof Error) throw answer
    return typeof answer === 'string' ? { text: answer, finish: 'stop' } : answer
  }
  return { ask, requests }
}
