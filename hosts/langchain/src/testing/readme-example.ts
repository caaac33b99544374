import { createInterface } from 'node:readline'
import { MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { longhaulMiddleware } from '../index.ts'

const longhaul = longhaulMiddleware({ windowTokens: 400_000, store: 'sessions.db' })
const model = new ChatOpenAI({ model: 'gpt-5' })
const agent = createAgent({ model, tools: [], checkpointer: new MemorySaver(), middleware: [longhaul] })
for await (const line of createInterface({ input: process.stdin })) {
  const input = { messages: [{ role: 'user', content: line }] }
  const { messages } = await agent.invoke(input, { configurable: { thread_id: 'my-chat' } })
  console.log(messages.at(-1)?.text)
}
await longhaul.context('my-chat').close()
