// An agent as its authors write it: a Runner and a session; every second message is streamed.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
import type { AgentInputItem, CallModelInputFilter, ModelProvider, ModelRequest } from '@openai/agents'
import type { HostSetup } from '../../../../test/hosts/host-under-test.ts'
import { countCopies, serveProgram } from '../../../../test/hosts/serve-program.ts'
import { longhaulFilter } from '../longhaul-filter.ts'
import { createFileSession } from './file-session.ts'

const useResponses = process.env['OPENAI_AGENTS_API'] === 'responses'

await serveProgram(async (setup) => {
  const { folder, sessionId, store, windowTokens, baseURL, model } = setup
  const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL, useResponses })
  let copies = 0
  let own: readonly AgentInputItem[] = []
  const count = (sent: ModelRequest['input']): void => {
    if (typeof sent !== 'string') copies = Math.max(copies, countCopies(sent, own))
  }
  const counting = countingProvider(modelProvider, count)
  const longhaul = store === null ? null : longhaulFilter({ windowTokens, store, sessionId, modelProvider: counting })
  const noting: CallModelInputFilter = (asked) => {
    own = asked.modelData.input
    return longhaul === null ? asked.modelData : longhaul(asked)
  }
  noting.preserveInputIdentity = true
  const runner = new Runner({
    tracingDisabled: true,
    callModelInputFilter: noting,
    modelProvider: longhaul?.provider ?? modelProvider,
  })
  const tools = [createReadTool(setup), ...(longhaul === null ? [] : [longhaul.recall])]
  const agent = new Agent({ name: 'Gardener', instructions: 'You help in a garden.', model, tools })
  const session = createFileSession(join(folder, 'session.json'))
  let turn = 0
  return {
    async say(text) {
      copies = 0
      turn += 1
      if (turn % 2 === 1) {
        const { finalOutput = '' } = await runner.run(agent, text, { session })
        return { text: finalOutput, errors: [], copies }
      }
      const result = await runner.run(agent, text, { session, stream: true })
      for await (const event of result) void event
      await result.completed
      return { text: result.finalOutput ?? '', errors: [], copies }
    },
    close: async () => longhaul?.context().close(),
  }
})

/** Looks at each list as it reaches the model. */
function countingProvider(inner: ModelProvider, count: (sent: ModelRequest['input']) => void): ModelProvider {
  return {
    async getModel(name) {
      const model = await inner.getModel(name)
      return {
        getResponse(request) {
          count(request.input)
          return model.getResponse(request)
        },
        getStreamedResponse(request) {
          count(request.input)
          return model.getStreamedResponse(request)
        },
      }
    },
  }
}

function createReadTool({ workspace }: HostSetup) {
  return tool({
    name: 'read',
    description: 'Reads a file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
    strict: true,
    execute: (input) => readFile(join(workspace, (input as { readonly path: string }).path), 'utf8'),
  })
}
