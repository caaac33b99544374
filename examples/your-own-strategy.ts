// A compaction strategy of your own: here, one line for each message. Run it: npx node examples/your-own-strategy.ts
import * as engine from '@longhaul/engine'

const oneLineEach: engine.CompactionStrategy = {
  name: 'one-line-each',
  async summarise({ span, previousDocument }) {
    const earlier = previousDocument === null ? [] : [engine.renderDocument(previousDocument)]
    const lines = span.map(({ message }) => engine.renderMessage(message).split('\n')[0]?.slice(0, 80) ?? '')
    const sources = span.map(({ entry }) => entry.id)
    const document = engine.createProseDocument([...earlier, ...lines].join('\n'), sources)
    return { ok: true, document, usage: null }
  },
}

const policy = engine.parsePolicy(engine.PRESETS.longhaul, { compaction: { strategy: oneLineEach.name } })
const limits = engine.resolveLimits(policy, { windowTokens: 16_000 })
const strategies = engine.createStrategies([oneLineEach]) // an agent takes it as `strategies: [oneLineEach]`
const ask: engine.AskModel = () => Promise.reject(new Error('this strategy asks no model'))
const environment = { system: null, files: [], tools: [] }
let state = engine.createState()

for (let turn = 1; turn <= 60; turn += 1) {
  append({
    type: 'message',
    role: 'user',
    parts: [{ type: 'text', text: `Note ${turn}.\n${'It rained. '.repeat(150)}` }],
  })
  append({ type: 'message', role: 'assistant', parts: [{ type: 'text', text: `Noted ${turn}.` }] })
  for (let entry: object | null = {}; entry !== null;) {
    const context = { state, policy, limits, environment, model: null, calibration: engine.UNCALIBRATED }
    const plan = engine.planNext({ ...context, checkPoint: 'before-turn', now: 0 })
    entry = await engine.carryOut(plan, context, { ask, strategies })
    if (entry !== null) append(entry)
  }
}
console.log(`${state.head.compactionCount} compactions`)
console.log(state.document === null ? 'no summary' : engine.renderDocument(state.document).slice(0, 200))

function append(entry: object): void {
  const seq = state.head.lastSeq + 1
  state = engine.foldEntry(state, { id: `e${seq}`, at: 0, ...entry, seq })
}
