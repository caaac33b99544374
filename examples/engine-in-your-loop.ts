// The engine alone, in a chat loop of your own. Run it: npx node examples/engine-in-your-loop.ts
import * as engine from '@longhaul/engine'

const policy = engine.PRESETS.longhaul
const limits = engine.resolveLimits(policy, { windowTokens: 16_000 })
const environment = { system: 'You help with a garden.', files: [], tools: [] }
const fixed = { environment, model: 'mine', calibration: engine.UNCALIBRATED, estimator: policy.estimator }
const ask: engine.AskModel = async ({ system, prompt }) => ({ text: await callModel(system, prompt), finish: 'stop' })
let state = engine.createState()
const context = () => ({ ...fixed, policy, limits, state })

function append(entry: object): void {
  state = engine.foldEntry(state, { id: crypto.randomUUID(), at: Date.now(), ...entry, seq: state.head.lastSeq + 1 })
}
async function chat(text: string): Promise<void> {
  let entry: object | null = { type: 'message', role: 'user', parts: [{ type: 'text', text }] }
  while (entry !== null) {
    append(entry) // yours goes to a log first: the state is a fold over what the log holds
    const plan = engine.planNext({ ...context(), checkPoint: 'before-turn', now: Date.now() })
    entry = await engine.carryOut(plan, context(), { ask }) // null: nothing more to do before the request
  }
  const view = engine.createView(state, policy)
  const request = engine.sealRequest({ view, context: fixed, maxTokens: limits?.inputTokens ?? null, maxBytes: null })
  const answer = await callModel(request.system, JSON.stringify(request.messages))
  append({ type: 'message', role: 'assistant', parts: [{ type: 'text', text: answer }], anchor: request.anchor })
  console.log(`${state.head.totals.messages} stored, ${request.messages.length} sent, ${request.tokens.tokens} tokens`)
}
const callModel = async (system: string | null, _prompt: string) =>
  system === environment.system ? 'Beans like it there. '.repeat(200) : '<summary>+ Goal: plant every bed</summary>'
for (let bed = 1; bed <= 30; bed += 1) await chat(`What shall I plant in bed ${bed}?`)
