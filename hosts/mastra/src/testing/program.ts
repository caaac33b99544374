// A chat app as its authors write it: one call for each message, with its whole history, which it keeps in a file.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Agent } from '@mastra/core/agent'
import type { MessageListInput } from '@mastra/core/agent/message-list'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import type { HostSetup } from '../../../../test/hosts/host-under-test.ts'
import { countCopies, serveProgram } from '../../../../test/hosts/serve-program.ts'
import { longhaulProcessor } from '../longhaul-processor.ts'
import type { LonghaulProcessor } from '../longhaul-processor.ts'

await serveProgram(async (setup) => {
  const { store, windowTokens, sessionId: thread, folder } = setup
  let copies = 0
  const longhaul = store === null ? null : longhaulProcessor({ store, windowTokens })
  const agent = createAgent(setup, longhaul === null ? null : countingCopies(longhaul, (count) => (copies = count)))
  const file = join(folder, 'history.json')
  const history: unknown[] = JSON.parse(await readFile(file, 'utf8').catch(() => '[]'))
  let turn = 0
  return {
    async say(text) {
      copies = 0
      history.push({ role: 'user', content: text })
      const list = structuredClone(history) as MessageListInput
      const around = { memory: { thread, resource: 'tester' }, maxSteps: 8 }
      turn += 1
      const reply = turn % 2 === 0 ? await agent.generate(list, around) : await streamAll(agent, list, around)
      history.push(...(reply.response.messages ?? []))
      await writeFile(file, JSON.stringify(history))
      return { text: reply.text, errors: reply.error === undefined ? [] : [String(reply.error)], copies }
    },
    async close() {
      await longhaul?.context(thread).close()
    },
  }
})

async function streamAll(agent: Agent, list: MessageListInput, around: { maxSteps: number }) {
  const stream = await agent.stream(list, around)
  return stream.getFullOutput()
}

function createAgent({ baseURL, model, workspace }: HostSetup, longhaul: LonghaulProcessor | null): Agent {
  const read = createTool({
    id: 'read',
    description: 'Reads a file.',
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => readFile(join(workspace, path), 'utf8'),
  })
  return new Agent({
    id: 'reader',
    name: 'Reader',
    instructions: 'You read what you are told to read.',
    model: createOpenAICompatible({ name: 'fake', baseURL, apiKey: 'none', includeUsage: true })(model),
    tools: { read, ...longhaul?.tools },
    ...(longhaul === null ? {} : { inputProcessors: [longhaul], errorProcessors: [longhaul], maxProcessorRetries: 2 }),
  })
}

function countingCopies(longhaul: LonghaulProcessor, note: (copies: number) => void): LonghaulProcessor {
  return {
    ...longhaul,
    async processLLMRequest(request) {
      const fitted = await longhaul.processLLMRequest?.(request)
      note(countCopies(fitted?.prompt ?? [], request.prompt))
      return fitted
    },
  }
}
