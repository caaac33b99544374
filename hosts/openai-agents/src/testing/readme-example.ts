import { createInterface } from 'node:readline'
import { Agent, MemorySession, Runner } from '@openai/agents'
import { longhaulFilter } from '../index.ts'

const longhaul = longhaulFilter({ windowTokens: 400_000, sessionId: 'my-chat', store: 'sessions.db' })
const runner = new Runner({ callModelInputFilter: longhaul, modelProvider: longhaul.provider })
const agent = new Agent({ name: 'Gardener', model: 'gpt-5', tools: [longhaul.recall] })
const session = new MemorySession()
for await (const line of createInterface({ input: process.stdin })) {
  const { finalOutput } = await runner.run(agent, line, { session })
  console.log(finalOutput)
}
await longhaul.context().close()
