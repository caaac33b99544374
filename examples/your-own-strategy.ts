// A compaction strategy of your own: here, one line for each message. Run it: npx node examples/your-own-strategy.ts
import { createContext, createProseDocument, renderDocument, renderMessage } from '@longhaul/engine'
import type { CompactionStrategy } from '@longhaul/engine'

const oneLineEach: CompactionStrategy = {
  name: 'one-line-each',
  async summarize({ span, previousDocument }) {
    const earlier = previousDocument === null ? [] : [renderDocument(previousDocument)]
    const lines = span.map(({ message }) => renderMessage(message).split('\n')[0]?.slice(0, 80) ?? '')
    const sources = span.map(({ entry }) => entry.id)
    return { ok: true, document: createProseDocument([...earlier, ...lines].join('\n'), sources), usage: null }
  },
}

const context = createContext({
  windowTokens: 16_000,
  strategies: [oneLineEach], // an agent takes it in the same way
  policy: { compaction: { strategy: oneLineEach.name } },
})
for (let turn = 1; turn <= 60; turn += 1) {
  await context.add({ role: 'user', content: `Note ${turn}.\n${'It rained. '.repeat(150)}` })
  await context.nextRequest()
  await context.add({ role: 'assistant', content: `Noted ${turn}.` })
}
await context.settled()
const compactions = context.entries().filter((entry) => entry.type === 'compaction')
const last = compactions.at(-1)
console.log(`${compactions.length} compactions`)
console.log(last === undefined ? 'no summary' : renderDocument(last.document).slice(0, 200))
