// The engine inside an AI SDK app: `prepareStep: longhaul(model, windowTokens)`. See read-a-book.ts beside it.
import * as engine from '@longhaul/engine'
import { readTranscripts } from '@longhaul/store/jsonl'
import { generateText } from 'ai'
import type { LanguageModel, ModelMessage } from 'ai'

export function longhaul(model: LanguageModel, windowTokens: number) {
  const policy = engine.PRESETS.longhaul
  const limits = engine.resolveLimits(policy, { windowTokens })
  const environment = { system: null, files: [], tools: [] }
  const fixed = { environment, model: null, calibration: engine.UNCALIBRATED, estimator: policy.estimator }
  const ask: engine.AskModel = async ({ system: instructions, prompt }) => {
    return { text: (await generateText({ model, instructions, prompt })).text, finish: 'stop' }
  }
  let [state, seen] = [engine.createState(), 0]
  function append(entry: object): void {
    state = engine.foldEntry(state, { at: Date.now(), ...entry, id: crypto.randomUUID(), seq: state.head.lastSeq + 1 })
  }
  return async ({ messages }: { messages: ModelMessage[] }) => {
    readTranscripts(JSON.stringify(messages.slice(seen)))[0]?.entries.forEach(append)
    for (let entry: object | null = {}; entry !== null;) {
      const context = { ...fixed, policy, limits, state }
      const plan = engine.planNext({ ...context, checkPoint: 'before-step', now: Date.now() })
      if ((entry = await engine.carryOut(plan, context, { ask })) !== null) append(entry)
    }
    const view = engine.createView(state, policy)
    const request = engine.sealRequest({ view, context: fixed, maxTokens: limits?.inputTokens ?? null, maxBytes: null })
    console.log(
      `${state.head.totals.messages} so far, ${request.messages.length} sent, ${request.tokens.tokens} tokens`,
    )
    seen = request.messages.length
    return { messages: toModelMessages(request.messages) }
  }
}
function toModelMessages(messages: readonly engine.SealedMessage[]): ModelMessage[] {
  const asOutput = (output: engine.ToolOutput) => ({ type: 'text', value: engine.outputText(output) })
  const toContent = (part: engine.Part) => ('output' in part ? { ...part, output: asOutput(part.output) } : part)
  return messages.map(({ role, parts }) => ({ role, content: parts.map(toContent) }) as ModelMessage)
}
