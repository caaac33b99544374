import { createInterface } from 'node:readline'
import { openai } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import type { MessageInput } from '@mastra/core/agent/message-list'
import { longhaulProcessor } from '../index.ts'

const longhaul = longhaulProcessor({ windowTokens: 400_000, sessionId: 'my-chat', store: 'sessions.db' })
const processors = { inputProcessors: [longhaul], errorProcessors: [longhaul], maxProcessorRetries: 2 }
const about = { id: 'helper', name: 'Helper', instructions: 'You help.', model: openai('gpt-5') }
const agent = new Agent({ ...about, ...processors, tools: { ...longhaul.tools } })
const messages: MessageInput[] = []
for await (const line of createInterface({ input: process.stdin })) {
  messages.push({ role: 'user', content: line })
  const { text, response } = await agent.generate(messages)
  process.stdout.write(`${text}\n`)
  messages.push(...(response.messages ?? []))
}
await longhaul.context().close()
