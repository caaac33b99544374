// A chat app as its authors write it: one call for each message, with its whole history, which it keeps in a file.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import type { ModelMessage } from 'ai'
import type { HostSetup } from '../../../../test/hosts/host-under-test.ts'
import { countCopies, serveProgram } from '../../../../test/hosts/serve-program.ts'
import type { ProgramTalk } from '../../../../test/hosts/serve-program.ts'
import { longhaul } from '../longhaul.ts'
import type { Longhaul, StepToPrepare } from '../longhaul.ts'

await serveProgram(async (setup) => (setup.store === null ? talkPlainly(setup) : talkWithLonghaul(setup, setup.store)))

async function talkPlainly(setup: HostSetup): Promise<ProgramTalk> {
  const history = await openHistory(setup)
  const tools = { read: createReadTool(setup) }
  const model = createModel(setup)
  return {
    async say(text) {
      const messages = [...history.messages, { role: 'user', content: text } as const]
      const { text: answer, responseMessages } = await generateText({
        model,
        tools,
        messages,
        stopWhen: isStepCount(8),
      })
      await history.write([...messages, ...responseMessages])
      return { text: answer, errors: [], copies: 0 }
    },
    close: async () => undefined,
  }
}

async function talkWithLonghaul(setup: HostSetup, store: string): Promise<ProgramTalk> {
  const { windowTokens, sessionId } = setup
  const history = await openHistory(setup)
  const lh = longhaul({ model: createModel(setup), windowTokens, sessionId, store })
  const tools = { read: createReadTool(setup), ...lh.tools }
  let turn = 0
  return {
    async say(text) {
      const messages = [...history.messages, { role: 'user', content: text } as const]
      let copies = 0
      const count = (found: number): void => void (copies = Math.max(copies, found))
      const prepareStep = countingCopies(lh, count)
      turn += 1
      const asked = { model: lh.model, prepareStep, tools, messages, stopWhen: isStepCount(8) }
      const errors: string[] = []
      const onError = ({ error }: { readonly error: unknown }): void => void errors.push(String(error))
      const { text: answer, responseMessages } =
        turn % 2 === 0 ? await generateText(asked) : streamText({ ...asked, onError })
      await history.write([...messages, ...(await responseMessages)])
      return { text: await answer, errors, copies }
    },
    close: () => lh.context.close(),
  }
}

function countingCopies(lh: Longhaul, count: (copies: number) => void) {
  return async (step: StepToPrepare) => {
    const prepared = await lh.prepareStep(step)
    count(countCopies(prepared.messages, [...step.initialMessages, ...step.responseMessages]))
    return prepared
  }
}

function createModel({ baseURL, model }: HostSetup) {
  return createOpenAICompatible({ name: 'fake', baseURL, apiKey: 'none', includeUsage: true })(model)
}

function createReadTool({ workspace }: HostSetup) {
  return tool({
    description: 'Reads a file.',
    inputSchema: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    }),
    execute: ({ path }) => readFile(join(workspace, path), 'utf8'),
  })
}

async function openHistory({ folder }: HostSetup) {
  const file = join(folder, 'history.json')
  const text = await readFile(file, 'utf8').catch(() => '[]')
  const history = {
    messages: JSON.parse(text) as readonly ModelMessage[],
    async write(messages: readonly ModelMessage[]) {
      history.messages = messages
      await writeFile(file, JSON.stringify(messages))
    },
  }
  return history
}
