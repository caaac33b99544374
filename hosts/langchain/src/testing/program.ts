// An agent as its authors write it: `createAgent` with a checkpointer; every second message is streamed.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, createMiddleware } from 'langchain'
import type { HostSetup } from '../../../../test/hosts/host-under-test.ts'
import { countCopies, serveProgram } from '../../../../test/hosts/serve-program.ts'
import { longhaulMiddleware } from '../longhaul-middleware.ts'
import { FileSaver } from './file-saver.ts'

await serveProgram(async (setup) => {
  const { folder, sessionId, store, windowTokens } = setup
  const longhaul = store === null ? null : longhaulMiddleware({ windowTokens, store })
  let copies = 0
  const counting = createMiddleware({
    name: 'Counting',
    wrapModelCall(request, handler) {
      copies = Math.max(copies, countCopies(request.messages, request.state.messages))
      return handler(request)
    },
  })
  const agent = createAgent({
    model: createModel(setup),
    tools: [createReadTool(setup)],
    systemPrompt: 'You help in a garden.',
    checkpointer: new FileSaver(join(folder, 'checkpoints.json')),
    middleware: longhaul === null ? [counting] : [longhaul, counting],
  })
  const config = { configurable: { thread_id: sessionId } }
  let turn = 0
  return {
    async say(text) {
      copies = 0
      turn += 1
      const input = { messages: [{ role: 'user', content: text }] }
      if (turn % 2 === 1) {
        const { messages } = await agent.invoke(input, config)
        return { text: messages.at(-1)?.text ?? '', errors: [], copies }
      }
      // The streamed words of the last answer: nothing of a summary may be among them.
      let streamed = ''
      for await (const [message] of await agent.stream(input, { ...config, streamMode: 'messages' })) {
        if (message.type === 'tool') streamed = ''
        else streamed += message.text
      }
      return { text: streamed, errors: [], copies }
    },
    close: async () => longhaul?.context(sessionId).close(),
  }
})

function createModel({ baseURL, model, maxOutputTokens }: HostSetup): ChatOpenAI {
  return new ChatOpenAI({ model, apiKey: 'none', maxTokens: maxOutputTokens, configuration: { baseURL } })
}

function createReadTool({ workspace }: HostSetup) {
  return tool(({ path }: { path: string }) => readFile(join(workspace, path), 'utf8'), {
    name: 'read',
    description: 'Reads a file.',
    schema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Of the file.' } },
      required: ['path'],
    } as const,
  })
}
