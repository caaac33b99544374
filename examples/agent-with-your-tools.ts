// A whole agent in your program: a store, a model, a tool of your own. Run it: npx node examples/agent-with-your-tools.ts
import { createAgent } from '@longhaul/agent'
import { PRESETS, parsePolicy } from '@longhaul/engine'
import { createModels } from '@longhaul/models'
import { createInMemoryStore, createOwner, followEvents } from '@longhaul/store'
import { defineTool } from '@longhaul/tools'
import { z } from 'zod'

const store = createInMemoryStore() // createSqliteStore({ file }) keeps it; @longhaul/store/postgres shares it
const models = createModels({ environment: process.env }) // the offline model, unless a key is set
const bedSize = defineTool({
  name: 'bed_size',
  description: 'Tells how large a garden bed is.',
  input: z.object({ bed: z.string() }),
  run: async ({ bed }) => `Bed ${bed} is ${3 + bed.length} square metres large.`,
})
const agent = createAgent({
  store,
  models,
  owner: createOwner(),
  policyFor: ({ policy }) => parsePolicy(PRESETS.longhaul, policy),
  toolsFor: async () => [bedSize],
  surroundingsFor: async () => ({ system: 'You help with a garden.', files: [] }),
  defaultModelFor: () => models.defaultModel,
})

const { signal } = new AbortController() // yours stops the waiting, never the turn
const { id } = await agent.createSession({ title: 'The garden' })
for (const text of [
  'The shed key hangs behind the door.',
  'Call bed_size for bed north.',
  'Where does the key hang?',
]) {
  const turn = await agent.send(id, { text }) // durable from here on, whatever happens
  console.log(`\n> ${text}`)
  for await (const { event } of followEvents(store, id, { after: turn.afterEvent, signal })) {
    if (event['type'] === 'response-complete') console.log(event['text'])
    if (event['type'] === 'tool-result') console.log(`[${String(event['name'])}] ${String(event['output'])}`)
    if (event['type'] === 'done') break
  }
}
await agent.close()
