import { createInterface } from 'node:readline'
import { openai } from '@ai-sdk/openai'
import { isStepCount, streamText } from 'ai'
import type { ModelMessage } from 'ai'
import { longhaul } from '../index.ts'

const lh = longhaul({ model: openai('gpt-5'), windowTokens: 400_000, sessionId: 'my-chat', store: 'sessions.db' })
const { model, prepareStep, tools } = lh
const messages: ModelMessage[] = []
for await (const line of createInterface({ input: process.stdin })) {
  messages.push({ role: 'user', content: line })
  const reply = streamText({ model, prepareStep, tools, messages, stopWhen: isStepCount(10) })
  for await (const text of reply.textStream) process.stdout.write(text)
  messages.push(...(await reply.responseMessages))
}
await lh.context.close()
