// A model with a window of 16,000 tokens reads a book that is longer. Run it: npx node examples/ai-sdk/read-a-book.ts
import { longhaul } from '@longhaul/ai-sdk'
import { createScriptedModel } from '@longhaul/models/testing'
import { generateText, isStepCount, jsonSchema, tool } from 'ai'

const model = createScriptedModel(({ tools }, page) =>
  tools ? { toolCalls: [{ name: 'read', input: { page } }] } : '+ Goal: read on',
)
const inputSchema = jsonSchema<{ page: number }>({ type: 'object' })
const read = tool({ inputSchema, execute: ({ page }) => `This is page ${page}. `.repeat(300) })

const lh = longhaul({ model, windowTokens: 16_000 })
await generateText({
  model: lh.model,
  prepareStep: lh.prepareStep,
  tools: { read, ...lh.tools },
  prompt: 'Read the book.',
  stopWhen: isStepCount(40),
  onStepEnd: ({ stepNumber, usage }) => console.log(`${stepNumber} pages so far, ${usage.inputTokens} tokens`),
})
