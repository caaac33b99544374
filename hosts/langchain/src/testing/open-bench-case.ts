import { join } from 'node:path'
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import type { BaseMessage } from '@langchain/core/messages'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { createAgent, createMiddleware } from 'langchain'
import { longhaulMiddleware } from '../longhaul-middleware.ts'

const WINDOW_TOKENS = 1_000_000

interface BenchSetup {
  readonly folder: string
  readonly texts: readonly string[]
}

type Say = (text: string) => Promise<void>

/** Holds the same conversation with Longhaul and without it, for `npm run bench -- hosts`. */
export async function openBenchCase({ folder, texts }: BenchSetup, copies: boolean) {
  const longhaul = longhaulMiddleware({ windowTokens: WINDOW_TOKENS, store: join(folder, 'sessions.db') })
  const createModel = () => new FakeListChatModel({ responses: ['Noted.'] })
  const plain = createAgent({ model: createModel(), tools: [] })
  const around = createAgent({ model: createModel(), tools: [], middleware: [longhaul] })
  const hooked = createAgent({ model: createModel(), tools: [], middleware: [EMPTY] })
  const config = { configurable: { thread_id: 'bench' } }
  return {
    plain: createChat(texts, copies, (messages) => plain.invoke({ messages }, config)),
    withEmptyHook: createChat(texts, copies, (messages) => hooked.invoke({ messages }, config)),
    withLonghaul: createChat(texts, copies, (messages) => around.invoke({ messages }, config)),
    close: () => longhaul.context('bench').close(),
  }
}

const EMPTY = createMiddleware({ name: 'Empty', wrapModelCall: (request, handler) => handler(request) })

type Call = (messages: BaseMessage[]) => Promise<{ readonly messages: BaseMessage[] }>

function createChat(texts: readonly string[], copies: boolean, call: Call): Say {
  let history = texts.map((content, index) => createMessage(content, index))
  return async (text) => {
    const said = [...history, createMessage(text, history.length)]
    const { messages } = await call(copies ? said.map((message, index) => createMessage(message.text, index)) : said)
    history = messages
  }
}

function createMessage(content: string, index: number): BaseMessage {
  const fields = { id: `message-${index}`, content }
  return index % 2 === 0 ? new HumanMessage(fields) : new AIMessage(fields)
}
