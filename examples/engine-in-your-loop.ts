// The engine alone, in a chat loop of your own. Run it: npx node examples/engine-in-your-loop.ts
import { createContext } from '@longhaul/engine'
import type { ContextRequest } from '@longhaul/engine'

const log: string[] = []
const context = createContext({
  windowTokens: 16_000,
  system: 'You help with a garden.',
  ask: async ({ system, prompt }) => callSummarizer(system, prompt), // how a summary is asked for
  onAppend: (entry) => void log.push(JSON.stringify(entry)), // your log: a file, a database
})

for (let bed = 1; bed <= 30; bed += 1) {
  await context.add({ role: 'user', content: `What shall I plant in bed ${bed}?` })
  const request = await context.nextRequest()
  const { text, usage } = await callModel(request)
  await context.add({ role: 'assistant', content: text }, { usage })
  const stored = context.entries().filter(({ type }) => type === 'message').length
  console.log(`${stored} stored, ${request.messages.length} sent, ${request.tokens} tokens`)
}

// Stand-ins for a provider's library.
async function callModel({ tokens }: ContextRequest) {
  return { text: 'Beans like it there. '.repeat(200), usage: { input: tokens, output: 1_000 } }
}
async function callSummarizer(_system: string, _prompt: string) {
  return '<summary>+ Goal: plant every bed</summary>'
}
