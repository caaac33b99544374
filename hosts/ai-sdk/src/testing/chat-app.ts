import {
  convertToModelMessages,
  generateText,
  isStepCount,
  jsonSchema,
  readUIMessageStream,
  streamText,
  tool,
} from 'ai'
import type { ModelMessage, UIMessage } from 'ai'
import type { Longhaul } from '../longhaul.ts'

/** A chat app on `useChat`: one call for each message, with new, equal messages of its whole history each time. */
export interface ChatApp {
  readonly say: (text: string) => Promise<string>
  /** The history as the next call gets it. */
  readonly messages: () => Promise<ModelMessage[]>
}

export type WayIn = 'prepareStep' | 'model alone'

const read = tool({
  description: 'Reads a page.',
  inputSchema: jsonSchema<{ page: number }>({ type: 'object', properties: { page: { type: 'number' } } }),
  execute: ({ page }) => ({ page, text: `This is page ${page}. `.repeat(100) }),
})

export function createChatApp(lh: Longhaul, way: WayIn = 'prepareStep', history: readonly UIMessage[] = []): ChatApp {
  const ui = [...history]
  const messages = (): Promise<ModelMessage[]> => convertToModelMessages(structuredClone(ui))
  return {
    messages,
    async say(text) {
      ui.push({ id: String(ui.length), role: 'user', parts: [{ type: 'text', text }] })
      const reply = streamText({
        model: lh.model,
        ...(way === 'prepareStep' ? { prepareStep: lh.prepareStep } : {}),
        tools: { read, ...lh.tools },
        stopWhen: isStepCount(5),
        instructions: 'You are a gardener.',
        messages: await messages(),
        onError: () => undefined,
      })
      let answer: UIMessage | undefined
      for await (const message of readUIMessageStream({ stream: reply.toUIMessageStream(), terminateOnError: true }))
        answer = message
      if (answer !== undefined) ui.push(answer)
      return reply.text
    },
  }
}

/** The same call for a whole answer at once. */
export async function askOnce(lh: Longhaul, messages: ModelMessage[], way: WayIn = 'prepareStep'): Promise<string> {
  const prepareStep = way === 'prepareStep' ? { prepareStep: lh.prepareStep } : {}
  return (await generateText({ model: lh.model, ...prepareStep, messages })).text
}
